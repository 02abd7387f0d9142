//! llama.cpp's chat parser as a streak/1 adapter: `peer-llama-cpp TEMPLATES`, the folder with the chat templates that llama.cpp is tested
//! with (`models/templates` of its sources). `scripts/peers/llama-cpp.sh` fetches it.
//!
//! The parser is made for a chat template, so each dialect here is a template. What stands around the parser in llama-server is done
//! here in its order: text so far is parsed again at each delta, the difference is sent, a call's head waits for its first argument byte.

mod parser;
mod stream;
mod templates;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use parser::{Asked, Chat};
use streakstone_adapter::message::{End, Event, Finish, Hello, Ignored, Reasoning, SpecialTokens, Tell, ToolChoice};
use streakstone_adapter::serve::{Adapter, No, Request, Session, serve};
use templates::Template;

/// Parsers kept: a run asks for the same text and tools in several messages, never for many at once.
const KEPT: usize = 8;

type Made = Result<Rc<Chat>, String>;

struct LlamaCpp {
    folder: PathBuf,
    templates: Vec<Template>,
    /// The parsers of the last requests, by template and request, or why there is none; they hold no state of a reading.
    made: RefCell<Vec<(Asked, Made)>>,
    sources: RefCell<HashMap<&'static str, Rc<str>>>,
}

impl LlamaCpp {
    fn source(&self, file: &'static str) -> Result<Rc<str>, No> {
        if let Some(source) = self.sources.borrow().get(file) {
            return Ok(Rc::clone(source));
        }
        let path = self.folder.join(file);
        let source: Rc<str> = std::fs::read_to_string(&path).map_err(|e| No::Fault(format!("{}: {e}", path.display())))?.into();
        self.sources.borrow_mut().insert(file, Rc::clone(&source));
        Ok(source)
    }

    fn made(&self, file: &'static str, asked: Asked) -> Result<Made, No> {
        if let Some((_, made)) = self.made.borrow().iter().find(|(of, _)| *of == asked) {
            return Ok(made.clone());
        }
        let made = Chat::new(&self.source(file)?, &asked).map(Rc::new);
        let mut kept = self.made.borrow_mut();
        if kept.len() == KEPT {
            drop(kept.remove(0));
        }
        kept.push((asked, made.clone()));
        Ok(made)
    }

    /// The parser for a request. The prompt that the template writes must open the reasoning span exactly if the case says so: where
    /// thinking can be switched, it is; where not, the text is none that this template's model could have written there.
    fn chat(&self, request: &Request) -> Result<Rc<Chat>, No> {
        let template = self.templates.iter().find(|t| t.dialect == request.dialect);
        let template = template.ok_or_else(|| No::Fault(format!("no template for `{}`", request.dialect)))?;
        // llama-server takes a named function for `auto`: only words are looked at.
        let choice = match request.tool_choice {
            ToolChoice::Auto | ToolChoice::Function(_) => "auto",
            ToolChoice::Required => "required",
            ToolChoice::None => "none",
        };
        let tools =
            request.tools.as_ref().filter(|tools| !tools.is_empty()).map(|tools| serde_json::Value::from(tools.clone()).to_string());
        let open = request.reasoning == Reasoning::Open;
        for thinking in [true, false] {
            let asked = Asked { file: template.file, tools: tools.clone(), choice, parallel: request.parallel_tool_calls, thinking };
            let chat = self.made(template.file, asked)?.map_err(No::Rejected)?;
            if chat.opens_reasoning() == open {
                return Ok(chat);
            }
        }
        let does = if open { "never opens" } else { "always opens" };
        Err(No::Unsupported(format!("the prompt of {} {does} the reasoning span", template.file)))
    }
}

/// As llama-server names the finish: the length limit first, then whether there is a call.
fn finish(end: End, calls: bool) -> Event {
    Event::Finish(Some(match end {
        End::Length => Finish::Length,
        End::Stop | End::StopString if calls => Finish::ToolCalls,
        End::Stop | End::StopString => Finish::Stop,
    }))
}

impl Adapter for LlamaCpp {
    fn hello(&self) -> Hello {
        let mut hello = Hello::new("llama.cpp", env!("LLAMA_CPP_VERSION"), self.templates.iter().map(|t| t.dialect));
        hello.tells = vec![Tell::Ids, Tell::Reasoning, Tell::Finish];
        // Its detokeniser writes a token at a time; markers that a template preserves are tokens.
        hello.special_tokens = SpecialTokens::Whole;
        // A token that ends the turn ends the generation and is no text. The grammar that the server holds the model to sees to one call
        // or several.
        hello.cuts_stop_tokens = hello.dialects.clone();
        hello.ignores = vec![Ignored::ParallelToolCalls];
        hello.policies = [("names", "exact"), ("coercion", "own")].map(|(policy, value)| (policy.to_owned(), value.to_owned())).into();
        hello.notes =
            "the chat parser for the templates of llama.cpp's own tests, one a dialect; its server also holds the model to a grammar, \
                       so that most malformed texts never reach the parser"
                .to_owned();
        hello
    }

    fn whole(&self, request: &Request) -> Result<Vec<Event>, No> {
        let reply = {
            let chat = self.chat(request)?;
            chat.whole(&request.raw[chat.written_by_the_prompt(&request.raw)..]).map_err(No::Rejected)?
        };
        let mut events = vec![Event::Reasoning(reply.reasoning), Event::Text(reply.content)];
        let any = !reply.calls.is_empty();
        for (index, call) in reply.calls.into_iter().enumerate() {
            events.push(Event::Call { index, name: call.name, id: (!call.id.is_empty()).then_some(call.id) });
            events.push(Event::Arguments { index, fragment: call.arguments });
        }
        events.push(finish(request.end, any));
        Ok(events)
    }

    fn open<'a>(&'a self, request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        let chat = self.chat(request)?;
        let written = chat.written_by_the_prompt(&request.raw);
        Ok(Box::new(stream::Reading::new(chat, written)?))
    }
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: peer-llama-cpp TEMPLATES\n  TEMPLATES  the folder models/templates of llama.cpp's sources");
        return ExitCode::from(2);
    };
    let templates: Vec<Template> = templates::ALL.iter().copied().filter(|t| folder.join(t.file).is_file()).collect();
    if templates.is_empty() {
        eprintln!("{}: no template of llama.cpp is here", folder.display());
        return ExitCode::from(2);
    }
    let adapter = LlamaCpp { folder, templates, made: RefCell::default(), sources: RefCell::default() };
    match serve(&adapter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peer-llama-cpp: {error}");
            ExitCode::FAILURE
        }
    }
}
