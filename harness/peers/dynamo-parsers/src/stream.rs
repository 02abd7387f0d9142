//! Dynamo's streaming: the jail turns one stream of chat chunks into another. It has no push; a session feeds a channel and takes what is
//! ready, so that each delta's chunks are known.

use std::pin::Pin;

use dynamo_parsers::ReasoningParser as _;
use dynamo_parsers::tool_calling::jail::{Annotated, apply_tool_calling_jail_with_reasoning_parser};
use dynamo_protocols::types::{
    ChatChoiceStream, ChatCompletionMessageContent, ChatCompletionNamedToolChoice, ChatCompletionStreamResponseDelta,
    ChatCompletionToolChoiceOption, ChatCompletionToolType, CreateChatCompletionStreamResponse, FinishReason, FunctionName, Role,
};
use futures::channel::mpsc::{UnboundedSender, unbounded};
use futures::{FutureExt as _, Stream, StreamExt as _};
use streakstone_adapter::message::{End, Event, ToolChoice};
use streakstone_adapter::serve::{Delta, No, Request, Session};

use crate::Setup;

type Item = Annotated<CreateChatCompletionStreamResponse>;

/// A stream through the reasoning parser and the jail.
pub struct Reading<'a> {
    runtime: &'a tokio::runtime::Runtime,
    setup: Setup,
    choice: ToolChoice,
    jail: Option<Jail>,
}

/// The channel into the jail and the stream out of it.
struct Jail {
    into: UnboundedSender<Item>,
    out: Pin<Box<dyn Stream<Item = Item> + Send>>,
}

impl<'a> Reading<'a> {
    /// Begins.
    pub fn new(runtime: &'a tokio::runtime::Runtime, setup: Setup, request: &Request) -> Self {
        Self { runtime, setup, choice: request.tool_choice.clone(), jail: None }
    }

    fn jail(&mut self) -> Option<&mut Jail> {
        let tool = self.setup.tool?;
        if self.jail.is_none() {
            let choice = match &self.choice {
                ToolChoice::Auto => ChatCompletionToolChoiceOption::Auto,
                ToolChoice::Required => ChatCompletionToolChoiceOption::Required,
                ToolChoice::None => ChatCompletionToolChoiceOption::None,
                ToolChoice::Function(name) => ChatCompletionToolChoiceOption::Named(ChatCompletionNamedToolChoice {
                    r#type: ChatCompletionToolType::Function,
                    function: FunctionName { name: name.clone() },
                }),
            };
            let (into, from) = unbounded();
            let tools = Some(self.setup.tools.clone());
            let reasoning = self.setup.reasoning.as_ref().map(|(name, _)| (*name).to_owned());
            // The corpus has what the models write freely, as with a structural tag: the marker parser reads it under every choice.
            let free = matches!(self.choice, ToolChoice::Required | ToolChoice::Function(_));
            let out =
                apply_tool_calling_jail_with_reasoning_parser(Some(tool.to_owned()), reasoning, Some(choice), tools, free, false, from);
            self.jail = Some(Jail { into, out: Box::pin(out) });
        }
        self.jail.as_mut()
    }

    /// Content that the reasoning parser let through, and the finish with it.
    fn send(&mut self, content: String, finish: Option<End>, events: &mut Vec<Event>) -> Result<(), No> {
        let _guard = self.runtime.enter();
        let Some(jail) = self.jail() else {
            if !content.is_empty() {
                events.push(Event::Text(content));
            }
            return Ok(());
        };
        if !content.is_empty() || finish.is_some() {
            jail.into.unbounded_send(chunk(content, finish)).map_err(|e| No::Fault(format!("the jail is gone: {e}")))?;
        }
        if finish.is_some() {
            jail.into.close_channel();
        }
        while let Some(Some(item)) = jail.out.next().now_or_never() {
            if let Some(error) = item.error {
                return Err(No::Rejected(error));
            }
            for choice in item.data.into_iter().flat_map(|data| data.choices) {
                if let Some(ChatCompletionMessageContent::Text(text)) = choice.delta.content {
                    events.push(Event::Text(text));
                }
                for call in choice.delta.tool_calls.unwrap_or_default() {
                    let (index, Some(function)) = (call.index as usize, call.function) else { continue };
                    if let Some(name) = function.name {
                        events.push(Event::Call { index, name, id: None });
                    }
                    if let Some(fragment) = function.arguments.filter(|fragment| !fragment.is_empty()) {
                        events.push(Event::Arguments { index, fragment });
                    }
                }
            }
        }
        Ok(())
    }
}

fn chunk(content: String, finish: Option<End>) -> Item {
    let reason = finish.map(|end| if end == End::Length { FinishReason::Length } else { FinishReason::Stop });
    let delta = ChatCompletionStreamResponseDelta {
        role: Some(Role::Assistant),
        content: (!content.is_empty()).then_some(ChatCompletionMessageContent::Text(content)),
        tool_calls: None,
        function_call: None,
        refusal: None,
        reasoning_content: None,
    };
    let choice = ChatChoiceStream { index: 0, delta, finish_reason: reason, logprobs: None };
    let data = CreateChatCompletionStreamResponse {
        id: "chatcmpl-0".to_owned(),
        choices: vec![choice],
        created: 0,
        model: "model".to_owned(),
        system_fingerprint: None,
        object: "chat.completion.chunk".to_owned(),
        usage: None,
        service_tier: None,
    };
    Annotated { data: Some(data), id: None, event: None, comment: None, error: None }
}

impl Session for Reading<'_> {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        let mut events = Vec::new();
        let content = match &mut self.setup.reasoning {
            Some((_, parser)) => {
                let split = parser.parse_reasoning_streaming_incremental(delta.text(), &[]);
                if !split.reasoning_text.is_empty() {
                    events.push(Event::Reasoning(split.reasoning_text));
                }
                split.normal_text
            }
            None => delta.text().to_owned(),
        };
        self.send(content, None, &mut events)?;
        Ok(events)
    }

    fn finish(&mut self, end: End) -> Result<Vec<Event>, No> {
        let mut events = Vec::new();
        let held = self.setup.reasoning.as_mut().map(|(_, parser)| parser.finish_reasoning_stream()).unwrap_or_default();
        if !held.reasoning_text.is_empty() {
            events.push(Event::Reasoning(held.reasoning_text));
        }
        self.send(held.normal_text, Some(end), &mut events)?;
        self.jail = None;
        events.push(Event::Finish(None));
        Ok(events)
    }
}
