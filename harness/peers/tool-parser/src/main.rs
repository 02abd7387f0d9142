//! `tool-parser` (the parsers of SMG, the gateway of SGLang and vLLM) as a streak/1 adapter.
//!
//! As its gateway does: without tools, or with `tool_choice: none`, the text is content; a finished text goes to the parser only if it
//! has a marker; a stream ends by asking for the arguments and the text that the parser still holds.

use std::process::ExitCode;

use futures::FutureExt as _;
use openai_protocol::common::Tool;
use streakstone_adapter::message::{End, Event, Hello, Ignored, SpecialTokens, ToolChoice};
use streakstone_adapter::serve::{Adapter, Delta, No, Request, Session, serve};
use tool_parser::ParserFactory;
use tool_parser::traits::ToolParser;
use tool_parser::types::ToolCallItem;

/// Row and the name of its parser in the factory.
const DIALECTS: &[(&str, &str)] = &[
    ("hermes", "qwen"),
    ("granite4", "qwen"),
    ("generic_json", "json"),
    ("llama3", "llama"),
    ("cohere", "cohere"),
    ("mistral_list", "mistral"),
    ("deepseek_v3", "deepseek"),
    ("deepseek_v31", "deepseek31"),
    ("deepseek_v32", "deepseek32"),
    ("deepseek_v4", "deepseek_v4"),
    ("deepseek_v41", "deepseek_v41"),
    ("kimi_k2", "kimik2"),
    ("kimi_k3", "kimi_k3"),
    ("qwen3_coder", "qwen_xml"),
    ("nemotron3", "nemotron"),
    ("minimax_m2", "minimax_m2"),
    ("minimax_m3", "minimax_m3"),
    ("step3", "step3"),
    ("glm45", "glm45_moe"),
    ("glm47", "glm47_moe"),
    ("hy_v4", "hy_v4"),
    ("pythonic", "pythonic"),
    ("sarashina", "sarashina"),
    ("gemma4", "gemma4"),
    ("inkling", "inkling"),
];

struct Smg {
    factory: ParserFactory,
}

impl Smg {
    /// A fresh parser and the tools; `None` where the gateway asks no parser.
    fn parser(&self, request: &Request) -> Result<Option<(Box<dyn ToolParser>, Vec<Tool>)>, No> {
        let tools: Vec<Tool> = request
            .tools
            .iter()
            .flatten()
            .map(|tool| serde_json::from_value(tool.clone()))
            .collect::<Result<_, _>>()
            .map_err(|e| No::Rejected(format!("the gateway takes no such tool: {e}")))?;
        if tools.is_empty() || request.tool_choice == ToolChoice::None {
            return Ok(None);
        }
        let name = DIALECTS.iter().find(|(row, _)| *row == request.dialect).map(|(_, name)| *name);
        let name = name.ok_or_else(|| No::Fault(format!("no parser for `{}`", request.dialect)))?;
        let parser = self.factory.registry().create_parser(name).ok_or_else(|| No::Fault(format!("the crate has no parser `{name}`")))?;
        Ok(Some((parser, tools)))
    }
}

impl Adapter for Smg {
    fn hello(&self) -> Hello {
        let mut hello = Hello::new("tool-parser", "1.10.0", DIALECTS.iter().map(|(row, _)| *row));
        // Its whole reading asks no name; its stream does, which stays a difference of the two.
        hello.policies = [("undeclared", "forward"), ("names", "exact"), ("coercion", "own")]
            .map(|(policy, value)| (policy.to_owned(), value.to_owned()))
            .into();
        // The gateway decodes token ids itself, so that a special token comes whole.
        hello.special_tokens = SpecialTokens::Whole;
        hello.cuts_stop_tokens = hello.dialects.clone();
        hello.ignores = vec![Ignored::ToolChoice, Ignored::ParallelToolCalls];
        hello.notes =
            "the tool parsers alone: the gateway splits reasoning before them, and mints ids and the finish reason after them".to_owned();
        hello
    }

    fn whole(&self, request: &Request) -> Result<Vec<Event>, No> {
        let text = request.text().into_owned();
        let (content, calls) = match self.parser(request)? {
            Some((parser, tools)) if parser.has_tool_markers(&text) => {
                let reading = parser.parse_complete_with_tools(&text, &tools).now_or_never();
                reading.ok_or_else(|| No::Fault("its future waits".to_owned()))?.map_err(|e| No::Rejected(e.to_string()))?
            }
            _ => (text, Vec::new()),
        };
        let mut events = vec![Event::Text(content)];
        for (index, call) in calls.into_iter().enumerate() {
            events.push(Event::Call { index, name: call.function.name, id: None });
            events.push(Event::Arguments { index, fragment: call.function.arguments });
        }
        events.push(Event::Finish(None));
        Ok(events)
    }

    fn open<'a>(&'a self, request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        Ok(Box::new(Stream { of: self.parser(request)? }))
    }
}

struct Stream {
    of: Option<(Box<dyn ToolParser>, Vec<Tool>)>,
}

/// A call with a name begins; what follows, or comes alone, is arguments.
fn put(calls: Vec<ToolCallItem>, events: &mut Vec<Event>) {
    for call in calls {
        if let Some(name) = call.name {
            events.push(Event::Call { index: call.tool_index, name, id: None });
        }
        if !call.parameters.is_empty() {
            events.push(Event::Arguments { index: call.tool_index, fragment: call.parameters });
        }
    }
}

impl Session for Stream {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        let Some((parser, tools)) = &mut self.of else { return Ok(vec![Event::Text(delta.text().to_owned())]) };
        let step = parser.parse_incremental(delta.text(), tools).now_or_never();
        let step = step.ok_or_else(|| No::Fault("its future waits".to_owned()))?.map_err(|e| No::Rejected(e.to_string()))?;
        let mut events = Vec::new();
        if !step.normal_text.is_empty() {
            events.push(Event::Text(step.normal_text));
        }
        put(step.calls, &mut events);
        Ok(events)
    }

    fn finish(&mut self, _end: End) -> Result<Vec<Event>, No> {
        let mut events = Vec::new();
        if let Some((parser, _)) = &mut self.of {
            put(parser.get_unstreamed_tool_args().unwrap_or_default(), &mut events);
            let held = parser.take_unstreamed_normal_text();
            if !held.is_empty() {
                events.push(Event::Text(held));
            }
            // The pool hands a parser to the next request after a reset.
            parser.reset();
        }
        events.push(Event::Finish(None));
        Ok(events)
    }
}

fn main() -> ExitCode {
    match serve(&Smg { factory: ParserFactory::new() }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peer-tool-parser: {error}");
            ExitCode::FAILURE
        }
    }
}
