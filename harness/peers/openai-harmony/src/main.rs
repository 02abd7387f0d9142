//! `openai-harmony` as a streak/1 adapter. The crate reads tokens: a delta's special tokens are given as such, the rest of it is
//! tokenised with the real vocabulary. It looks for `o200k_base.tiktoken` in the folder `TIKTOKEN_ENCODINGS_BASE`.

use std::process::ExitCode;

use openai_harmony::chat::{Content, Role};
use openai_harmony::{HarmonyEncoding, HarmonyEncodingName, StreamableParser, load_harmony_encoding};
use streakstone_adapter::message::{Cannot, End, Event, Hello, Ignored, Reasoning, SpecialTokens, Tell, Unit};
use streakstone_adapter::serve::{Adapter, Delta, No, Request, Session, serve};

/// What a recipient of a call begins with, as the template writes it; models leave it out.
const FUNCTIONS: &str = "functions.";

struct Harmony {
    encoding: Result<HarmonyEncoding, String>,
}

fn rejected(error: impl std::fmt::Display) -> No {
    No::Rejected(error.to_string())
}

/// What a message is for.
enum Kind<'a> {
    Call(&'a str),
    Reasoning,
    Text,
}

impl<'a> Kind<'a> {
    /// By recipient first, as every server does; `analysis` is reasoning, all else is shown. Whoever is no side of the conversation is a
    /// tool: the crate knows no tools, so that built-in ones are calls too (`undeclared=forward`).
    fn of(channel: Option<&str>, recipient: Option<&'a str>) -> Self {
        let tool = recipient.filter(|to| !["all", "user", "assistant", "system", "developer"].contains(to));
        match (channel, tool.map(|to| to.strip_prefix(FUNCTIONS).unwrap_or(to))) {
            (_, Some(name)) => Self::Call(name),
            (Some("analysis"), None) => Self::Reasoning,
            _ => Self::Text,
        }
    }
}

impl Harmony {
    fn encoding(&self, request: &Request) -> Result<&HarmonyEncoding, No> {
        if request.reasoning == Reasoning::Open {
            return Err(No::Unsupported("the crate begins after `<|start|>assistant`, never inside a channel".to_owned()));
        }
        self.encoding.as_ref().map_err(|e| No::Fault(format!("no vocabulary: {e}; set TIKTOKEN_ENCODINGS_BASE")))
    }
}

impl Adapter for Harmony {
    fn hello(&self) -> Hello {
        let mut hello = Hello::new("openai-harmony", "0.0.8", ["harmony"]);
        hello.unit = Unit::Tokens;
        hello.tells = vec![Tell::Reasoning, Tell::Order];
        hello.special_tokens = SpecialTokens::Whole;
        // The crate knows no tools.
        hello.policies =
            [("undeclared", "forward"), ("names", "exact")].map(|(policy, value)| (policy.to_owned(), value.to_owned())).into();
        hello.ignores = vec![Ignored::ToolChoice, Ignored::ParallelToolCalls];
        hello.cannot = vec![Cannot {
            law: "arguments-json".to_owned(),
            why: "it hands over the bytes of messages; whether they are JSON is its server's question".to_owned(),
        }];
        hello.stubs = vec!["tokens: each delta is tokenised by itself, a model's tokens may differ".to_owned()];
        hello.notes =
            "the parser alone: it knows neither tools nor `tool_choice`; which message is a call is decided here, by its recipient"
                .to_owned();
        hello
    }

    fn whole(&self, request: &Request) -> Result<Vec<Event>, No> {
        let encoding = self.encoding(request)?;
        let tokens = encoding.tokenizer().encode_with_special_tokens(&request.text());
        let messages = encoding.parse_messages_from_completion_tokens(tokens, Some(Role::Assistant)).map_err(rejected)?;
        let (mut events, mut index) = (Vec::new(), 0);
        for message in messages {
            let texts = message.content.iter().map(|content| if let Content::Text(text) = content { text.text.as_str() } else { "" });
            let text: String = texts.collect();
            match Kind::of(message.channel.as_deref(), message.recipient.as_deref()) {
                Kind::Call(name) => {
                    events.push(Event::Call { index, name: name.to_owned(), id: None });
                    events.push(Event::Arguments { index, fragment: text });
                    index += 1;
                }
                Kind::Reasoning => events.push(Event::Reasoning(text)),
                Kind::Text => events.push(Event::Text(text)),
            }
        }
        events.push(Event::Finish(None));
        Ok(events)
    }

    fn open<'a>(&'a self, request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        let encoding = self.encoding(request)?;
        let parser = StreamableParser::new(encoding.clone(), Some(Role::Assistant)).map_err(rejected)?;
        Ok(Box::new(Stream { encoding, parser, messages: 0, calls: 0, in_call: false }))
    }
}

struct Stream<'a> {
    encoding: &'a HarmonyEncoding,
    parser: StreamableParser,
    /// Messages that have ended.
    messages: usize,
    calls: usize,
    /// True if the open message is a call that has begun.
    in_call: bool,
}

impl Stream<'_> {
    /// What the parser has to say after one more token.
    fn news(&mut self, events: &mut Vec<Event>) -> Result<(), No> {
        let ended = self.parser.messages().len();
        if ended != self.messages {
            (self.messages, self.in_call) = (ended, false);
        }
        let Some(text) = self.parser.last_content_delta().map_err(rejected)? else { return Ok(()) };
        let recipient = self.parser.current_recipient();
        match Kind::of(self.parser.current_channel().as_deref(), recipient.as_deref()) {
            Kind::Call(name) => {
                if !std::mem::replace(&mut self.in_call, true) {
                    events.push(Event::Call { index: self.calls, name: name.to_owned(), id: None });
                    self.calls += 1;
                }
                events.push(Event::Arguments { index: self.calls - 1, fragment: text });
            }
            Kind::Reasoning => events.push(Event::Reasoning(text)),
            Kind::Text => events.push(Event::Text(text)),
        }
        Ok(())
    }
}

impl Session for Stream<'_> {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        let mut events = Vec::new();
        for (text, special) in delta.pieces() {
            let tokenizer = self.encoding.tokenizer();
            let tokens = if special { tokenizer.encode_with_special_tokens(text) } else { tokenizer.encode_ordinary(text) };
            for token in tokens {
                self.parser.process(token).map_err(rejected)?;
                self.news(&mut events)?;
            }
        }
        Ok(events)
    }

    fn finish(&mut self, _end: End) -> Result<Vec<Event>, No> {
        self.parser.process_eos().map_err(rejected)?;
        Ok(vec![Event::Finish(None)])
    }
}

fn main() -> ExitCode {
    let encoding = load_harmony_encoding(HarmonyEncodingName::HarmonyGptOss).map_err(|e| e.to_string());
    match serve(&Harmony { encoding }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peer-openai-harmony: {error}");
            ExitCode::FAILURE
        }
    }
}
