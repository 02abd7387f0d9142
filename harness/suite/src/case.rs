//! One case: a raw text with its tools, request options and end cause, and what is expected of it.

use std::path::PathBuf;
use std::sync::Arc;

use streakstone_model::{End, Finish, Lookup, Policies, ReadOptions, Tool, ToolChoice};

/// Where a case's text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Written by us.
    Composed,
    /// A public report, such as `vllm-project/vllm#12345`, or a document.
    Public(String),
    /// Recorded from a real model.
    Recorded {
        /// Model name.
        model: String,
        /// Revision.
        revision: String,
        /// Engine.
        engine: String,
        /// Sampling.
        sampling: String,
        /// Digest of the chat template.
        template_sha256: String,
    },
}

/// One expected call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectCall {
    /// The name as sent to the client.
    pub name: String,
    /// The arguments as JSON text; compared as JSON values with exact numbers.
    pub arguments: String,
    /// The model's id that must be kept; not compared if absent.
    pub id: Option<String>,
}

/// What a reply must be. A key that is absent is not compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expect {
    /// The joined content; null and `""` are one.
    pub content: Option<String>,
    /// The joined reasoning.
    pub reasoning: Option<String>,
    /// The complete calls in order.
    pub calls: Option<Vec<ExpectCall>>,
    /// The finish reason.
    pub finish: Option<Finish>,
}

/// Text made by repetition (adversarial cases).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generate {
    /// The text repeated.
    pub unit: String,
    /// How often, in the case's own raw text.
    pub repeat: usize,
    /// Sizes in bytes for growth measurements.
    pub sizes: Vec<usize>,
}

/// A case.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// `dialect folder/topic/id`, permanent; the folder is the path's, not the row's name.
    pub name: String,
    /// The dialect word of the file.
    pub dialect_word: String,
    /// What the word means to this build.
    pub dialect: Lookup,
    /// The file, relative to the corpus' parent (`corpus/hermes/strings.yaml`).
    pub file: PathBuf,
    /// Line of the case in the file, from 1.
    pub line: usize,
    /// Why the case exists.
    pub why: String,
    /// Tags of the taxonomy.
    pub tags: Vec<String>,
    /// Origin.
    pub source: Source,
    /// The declared tools; `None` = the request has no `tools` key.
    pub tools: Option<Arc<Vec<Tool>>>,
    /// `request.tool_choice`.
    pub tool_choice: ToolChoice,
    /// `request.parallel_tool_calls`; true by default.
    pub parallel_tool_calls: bool,
    /// True if the prompt opened the reasoning span.
    pub reasoning_open: bool,
    /// Why the text ended.
    pub end: End,
    /// The raw bytes.
    pub raw: Vec<u8>,
    /// Cuts at the real token boundaries, if the case has pieces.
    pub pieces: Option<Vec<usize>>,
    /// The case's own chunkings, as cut lists.
    pub chunks: Vec<Vec<usize>>,
    /// True if content and reasoning compare with white space collapsed and trimmed.
    pub soft: bool,
    /// What is expected.
    pub expect: Expect,
    /// Expectations under non-default policies: the pairs as written, the policies, the expectation.
    pub under: Vec<(String, Policies, Expect)>,
    /// Several legitimate outcomes, each with its reason; the first is the default.
    pub one_of: Vec<(Expect, String)>,
    /// How the text was made, for adversarial cases.
    pub generate: Option<Generate>,
}

impl Case {
    /// The reading options of the case under `policies`; `parallel_tool_calls: false` sets `parallel=first`.
    #[must_use]
    pub fn options(&self, mut policies: Policies) -> ReadOptions {
        if !self.parallel_tool_calls {
            policies.parallel = streakstone_model::Parallel::First;
        }
        ReadOptions { tool_choice: self.tool_choice.clone(), reasoning_open: self.reasoning_open, policies, ..ReadOptions::default() }
    }
}
