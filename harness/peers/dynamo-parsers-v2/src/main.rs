//! `dynamo-parsers-v2` as a streak/1 adapter: the unified parsers (reasoning, text and calls in one ordered stream), and the tool-only
//! parser of the family that has no unified one.
//!
//! The crate's own whole entry point is one push and a finish, then a lossy projection of the arguments; its README tells servers to take
//! the raw fragments instead, as is done here.

use std::collections::BTreeMap;
use std::process::ExitCode;

use dynamo_parsers_v2::{
    Tool, ToolCallDelta, ToolParseResult, ToolParser, UnifiedParser, UnifiedParserEvent, UnifiedParserInit, UnifiedParserOutput,
    UnifiedParserStartingState, create_tool_parser_for_family, create_unified_parser_for_family,
};
use streakstone_adapter::message::{End, Event, Hello, Ignored, Mode, Reasoning, SpecialTokens, Tell, ToolChoice};
use streakstone_adapter::serve::{Adapter, Delta, No, Request, Session, serve};

/// Row and the name of its unified family.
const UNIFIED: &[(&str, &str)] = &[
    ("deepseek_v4", "deepseek_v4"),
    ("deepseek_v41", "deepseek_v41"),
    ("gemma4", "gemma4"),
    ("glm45", "glm47"),
    ("glm47", "glm47"),
    ("qwen3_coder", "qwen3_coder"),
    ("nemotron3", "nemotron_v3"),
    ("minimax_m3", "minimax_m3"),
    ("muse", "muse_glimmer"),
    ("beam", "beam"),
    ("kimi_k2", "kimi_k2"),
    ("kimi_k3", "kimi_k3"),
    ("harmony", "harmony"),
];

/// The same for tool-only families.
const TOOL_ONLY: &[(&str, &str)] = &[("minimax_m2", "minimax_m2")];

struct DynamoV2;

fn rejected(error: impl std::fmt::Display) -> No {
    No::Rejected(format!("{error:#}"))
}

fn named(list: &'static [(&'static str, &'static str)], row: &str) -> Option<&'static str> {
    list.iter().find(|(of, _)| *of == row).map(|(_, family)| *family)
}

impl Adapter for DynamoV2 {
    fn hello(&self) -> Hello {
        let mut hello = Hello::new("dynamo-parsers-v2", "0.9.6", UNIFIED.iter().chain(TOOL_ONLY).map(|(row, _)| *row));
        hello.modes = vec![Mode::Stream];
        hello.tells = vec![Tell::Ids, Tell::Reasoning, Tell::Order];
        hello.special_tokens = SpecialTokens::Whole;
        // README, parser goals 5 and 7. Names pass as written; each family has a typing of its own.
        hello.policies = [("truncated", "drop"), ("undeclared", "forward"), ("names", "exact"), ("coercion", "own")]
            .map(|(policy, value)| (policy.to_owned(), value.to_owned()))
            .into();
        // Its decoder hides the token that stopped; harmony's parsers read token ids and see it.
        hello.cuts_stop_tokens = hello.dialects.iter().filter(|row| !["harmony", "beam"].contains(&row.as_str())).cloned().collect();
        hello.ignores = vec![Ignored::ToolChoice, Ignored::ParallelToolCalls];
        hello.notes =
            "minimax_m2 by its tool-only parser, all others by the unified ones; the serving layer checks names and mints ids".to_owned();
        hello
    }

    fn open<'a>(&'a self, request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        if request.tools.as_ref().is_none_or(Vec::is_empty) && named(TOOL_ONLY, &request.dialect).is_some() {
            return Ok(Box::new(Plain));
        }
        let tools: Vec<Tool> = match request.tool_choice {
            ToolChoice::None => Vec::new(),
            _ => request
                .functions()
                .map(|(name, parameters)| Tool { name: name.to_owned(), description: None, parameters, strict: None })
                .collect(),
        };
        if let Some(family) = named(TOOL_ONLY, &request.dialect) {
            let parser = create_tool_parser_for_family(family, &tools).map_err(rejected)?;
            return Ok(Box::new(ToolOnly { parser, calls: Calls::default() }));
        }
        let family = named(UNIFIED, &request.dialect).ok_or_else(|| No::Fault(format!("no family for `{}`", request.dialect)))?;
        let mut parser = create_unified_parser_for_family(family, &tools).map_err(rejected)?;
        let starting_state = match request.reasoning {
            Reasoning::Open => UnifiedParserStartingState::Reasoning,
            // A prompt of this family that does not open the span has closed it; the family's own default is inside it.
            Reasoning::Closed if family == "nemotron_v3" => UnifiedParserStartingState::Response,
            Reasoning::Closed => UnifiedParserStartingState::None,
        };
        let init = UnifiedParserInit { starting_state, ..UnifiedParserInit::default() };
        parser.initialize_request(init.clone()).map_err(rejected)?;
        Ok(Box::new(Unified { parser, init, calls: Calls::default(), used: false }))
    }
}

/// The calls that have begun, and whether each is complete.
#[derive(Default)]
struct Calls(BTreeMap<usize, bool>);

impl Calls {
    fn put(&mut self, delta: ToolCallDelta, id: Option<&str>, events: &mut Vec<Event>) {
        let index = delta.tool_index;
        if let Some(name) = delta.name {
            events.push(Event::Call { index, name, id: id.map(str::to_owned) });
        }
        if !delta.arguments.is_empty() {
            events.push(Event::Arguments { index, fragment: delta.arguments });
        }
        if delta.complete {
            events.push(Event::End { index, incomplete: false });
        }
        *self.0.entry(index).or_default() |= delta.complete;
    }

    /// The ends of the calls that never became complete, and the finish.
    fn close(&mut self, events: &mut Vec<Event>) {
        let open = std::mem::take(&mut self.0).into_iter().filter(|(_, complete)| !complete);
        events.extend(open.map(|(index, _)| Event::End { index, incomplete: true }));
        events.push(Event::Finish(None));
    }
}

struct Unified {
    parser: Box<dyn UnifiedParser>,
    init: UnifiedParserInit,
    calls: Calls,
    /// True once a text has been read to its end.
    used: bool,
}

impl Unified {
    fn put(&mut self, output: UnifiedParserOutput, events: &mut Vec<Event>) {
        for event in output.events {
            match event {
                UnifiedParserEvent::Text(text) => events.push(Event::Text(text)),
                UnifiedParserEvent::Reasoning(text) => events.push(Event::Reasoning(text)),
                UnifiedParserEvent::ToolCall(delta) => {
                    let id = self.parser.tool_call_id(delta.tool_index).map(str::to_owned);
                    self.calls.put(delta, id.as_deref(), events);
                }
                UnifiedParserEvent::MessageStart(_) | UnifiedParserEvent::MessageEnd => {}
            }
        }
    }
}

impl Session for Unified {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        // README: after a finish the next request is initialized again.
        if std::mem::take(&mut self.used) {
            let _ = self.parser.reset();
            self.parser.initialize_request(self.init.clone()).map_err(rejected)?;
        }
        let (mut output, mut events) = (UnifiedParserOutput::default(), Vec::new());
        self.parser.parse_into(delta.text(), &mut output).map_err(rejected)?;
        self.put(output, &mut events);
        Ok(events)
    }

    fn finish(&mut self, end: End) -> Result<Vec<Event>, No> {
        let output = match end {
            End::Stop => self.parser.finish_at_eos(),
            End::Length | End::StopString => self.parser.finish(),
        };
        let mut events = Vec::new();
        self.put(output.map_err(rejected)?, &mut events);
        self.calls.close(&mut events);
        self.used = true;
        Ok(events)
    }
}

struct ToolOnly {
    parser: Box<dyn ToolParser>,
    calls: Calls,
}

impl ToolOnly {
    fn put(&mut self, result: ToolParseResult, events: &mut Vec<Event>) {
        if !result.normal_text.is_empty() {
            events.push(Event::Text(result.normal_text));
        }
        for delta in result.calls {
            self.calls.put(delta, None, events);
        }
    }
}

impl Session for ToolOnly {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        let (result, mut events) = (self.parser.push(delta.text()).map_err(rejected)?, Vec::new());
        self.put(result, &mut events);
        Ok(events)
    }

    fn finish(&mut self, _end: End) -> Result<Vec<Event>, No> {
        let (result, mut events) = (self.parser.finish().map_err(rejected)?, Vec::new());
        self.put(result, &mut events);
        self.calls.close(&mut events);
        Ok(events)
    }
}

/// A request without tools asks no tool-only parser.
struct Plain;

impl Session for Plain {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        Ok(vec![Event::Text(delta.text().to_owned())])
    }

    fn finish(&mut self, _end: End) -> Result<Vec<Event>, No> {
        Ok(vec![Event::Finish(None)])
    }
}

fn main() -> ExitCode {
    match serve(&DynamoV2) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peer-dynamo-parsers-v2: {error}");
            ExitCode::FAILURE
        }
    }
}
