//! `dynamo-parsers` (NVIDIA Dynamo, first generation) as a streak/1 adapter: the family's reasoning parser, then for a stream the jail that
//! Dynamo puts around its own chunks, and for a finished text the batch parser with recovery at the end.
//!
//! As its frontend does: a request without tools, or with `tool_choice: none`, gets no tool parser.

mod stream;

use std::process::ExitCode;

use dynamo_parsers::tool_calling::ToolDefinition;
use dynamo_parsers::tool_calling::parsers::detect_and_parse_tool_call_with_recovery;
use dynamo_parsers::{ReasoningParser as _, ReasoningParserType, ReasoningParserWrapper};
use futures::FutureExt as _;
use streakstone_adapter::message::{Event, Hello, Ignored, Reasoning, SpecialTokens, Tell, ToolChoice};
use streakstone_adapter::serve::{Adapter, No, Request, Session, serve};

/// Row, its tool parser, its reasoning parser.
const DIALECTS: &[(&str, &str, Option<&str>)] = &[
    ("hermes", "hermes", Some("qwen3")),
    ("granite4", "hermes", Some("basic")),
    ("generic_json", "default", None),
    ("llama3", "llama3_json", None),
    ("jamba", "jamba", None),
    ("nemotron_deci", "nemotron_deci", Some("nemotron_deci")),
    ("phi4mini", "phi4", None),
    ("mistral_list", "mistral", None),
    ("deepseek_v3", "deepseek_v3", Some("deepseek_v3")),
    ("deepseek_v31", "deepseek_v3_1", Some("deepseek_v3_1")),
    ("deepseek_v32", "deepseek_v3_2", Some("deepseek_v3_2")),
    ("deepseek_v4", "deepseek_v4", Some("deepseek_v4")),
    ("kimi_k2", "kimi_k2", Some("kimi_k25")),
    ("kimi_k3", "kimi_k3", Some("kimi_k3")),
    ("qwen3_coder", "qwen3_coder", Some("qwen3")),
    ("nemotron3", "nemotron_nano", Some("nemotron_v3")),
    ("minimax_m2", "minimax_m2", Some("minimax_m2")),
    ("minimax_m3", "minimax_m3", Some("minimax_m3")),
    ("glm45", "glm47", Some("glm45")),
    ("glm47", "glm47", Some("glm45")),
    ("pythonic", "pythonic", None),
    ("gemma4", "gemma4", Some("gemma4")),
    ("harmony", "harmony", None),
    ("inkling", "inkling", Some("inkling")),
];

struct Dynamo {
    runtime: tokio::runtime::Runtime,
}

/// A request's parsers.
struct Setup {
    tool: Option<&'static str>,
    reasoning: Option<(&'static str, ReasoningParserWrapper)>,
    tools: Vec<ToolDefinition>,
}

impl Setup {
    fn new(request: &Request) -> Result<Self, No> {
        let row = DIALECTS.iter().find(|(row, ..)| *row == request.dialect);
        let &(_, tool, reasoning) = row.ok_or_else(|| No::Fault(format!("no parser for `{}`", request.dialect)))?;
        let define = |(name, parameters): (&str, _)| ToolDefinition { name: name.to_owned(), parameters: Some(parameters), strict: None };
        let tools: Vec<_> = request.functions().map(define).collect();
        let asked = !tools.is_empty() && request.tool_choice != ToolChoice::None;
        let reasoning = reasoning.map(|name| {
            let mut parser = ReasoningParserType::get_reasoning_parser_from_name(name);
            parser.set_in_reasoning(request.reasoning == Reasoning::Open);
            (name, parser)
        });
        Ok(Self { tool: asked.then_some(tool), reasoning, tools })
    }
}

impl Dynamo {
    /// The harmony parser loads its vocabulary on a blocking thread of tokio, once.
    fn warm(&self) {
        let loaded = self.runtime.block_on(detect_and_parse_tool_call_with_recovery("<|channel|>final<|message|>x", Some("harmony"), None));
        if let Err(error) = loaded {
            eprintln!("peer-dynamo-parsers: no vocabulary for harmony: {error}; set TIKTOKEN_ENCODINGS_BASE");
        }
    }
}

impl Adapter for Dynamo {
    fn hello(&self) -> Hello {
        let mut hello = Hello::new("dynamo-parsers", "11.0.1", DIALECTS.iter().map(|(row, ..)| *row));
        hello.tells = vec![Tell::Reasoning];
        hello.special_tokens = SpecialTokens::Whole;
        // README of its second generation, which speaks for both: goals 5 and 7. Names pass as written; each family has a typing of its own.
        hello.policies = [("truncated", "drop"), ("undeclared", "forward"), ("names", "exact"), ("coercion", "own")]
            .map(|(policy, value)| (policy.to_owned(), value.to_owned()))
            .into();
        // Its decoder hides the token that stopped; harmony's parsers read token ids and see it.
        hello.cuts_stop_tokens = hello.dialects.iter().filter(|row| !["harmony", "beam"].contains(&row.as_str())).cloned().collect();
        hello.ignores = vec![Ignored::NamedToolChoice, Ignored::ParallelToolCalls];
        hello.notes = "reasoning parser, then jail or batch parser, without the frontend that names the finish reason".to_owned();
        hello
    }

    fn whole(&self, request: &Request) -> Result<Vec<Event>, No> {
        let mut setup = Setup::new(request)?;
        let text = request.text();
        let (reasoning, text) = match &mut setup.reasoning {
            Some((_, parser)) => {
                let split = parser.detect_and_parse_reasoning(&text, &[]);
                (split.reasoning_text, split.normal_text)
            }
            None => (String::new(), text.into_owned()),
        };
        let (calls, content) = match setup.tool {
            Some(tool) => {
                let _guard = self.runtime.enter();
                let read = detect_and_parse_tool_call_with_recovery(&text, Some(tool), Some(&setup.tools)).now_or_never();
                let read = read.ok_or_else(|| No::Fault("its future waits".to_owned()))?;
                read.map_err(|e| No::Rejected(format!("{e:#}")))?
            }
            None => (Vec::new(), Some(text)),
        };
        let mut events = vec![Event::Reasoning(reasoning), Event::Text(content.unwrap_or_default())];
        for (index, call) in calls.into_iter().enumerate() {
            events.push(Event::Call { index, name: call.function.name, id: None });
            events.push(Event::Arguments { index, fragment: call.function.arguments });
        }
        events.push(Event::Finish(None));
        Ok(events)
    }

    fn open<'a>(&'a self, request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        Ok(Box::new(stream::Reading::new(&self.runtime, Setup::new(request)?, request)))
    }
}

fn main() -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(1).build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("peer-dynamo-parsers: {error}");
            return ExitCode::FAILURE;
        }
    };
    let adapter = Dynamo { runtime };
    adapter.warm();
    match serve(&adapter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peer-dynamo-parsers: {error}");
            ExitCode::FAILURE
        }
    }
}
