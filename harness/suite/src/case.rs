//! One case: a raw text with its tools, request options and end cause, and what is expected of it.

use std::path::PathBuf;
use std::sync::Arc;

use streakstone_model::{End, Finish, Lookup, Policies, ReadOptions, Tool, ToolChoice, lookup};

use crate::digest::Digester;

/// Where a case's text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Not stated; our own corpus must state it.
    Unstated,
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
    /// What is expected; equal to the first of `one_of` where there are several outcomes.
    pub expect: Expect,
    /// Expectations under non-default policies: the pairs as written, the policies, the expectation.
    pub under: Vec<(String, Policies, Expect)>,
    /// Several legitimate outcomes, each whole and with its reason; the first is the default. If it is not empty, it alone is
    /// what a reply is compared with.
    pub one_of: Vec<(Expect, String)>,
    /// How the text was made, for adversarial cases.
    pub generate: Option<Generate>,
}

impl Case {
    /// A case that comes from no file: a text of a dialect under the defaults, without tools and with nothing expected of it.
    /// `name` stands where a file would.
    #[must_use]
    pub fn of_text(name: impl Into<String>, dialect_word: &str, raw: impl Into<Vec<u8>>) -> Self {
        let name = name.into();
        Self {
            file: PathBuf::from(&name),
            name,
            dialect_word: dialect_word.to_owned(),
            dialect: lookup(dialect_word),
            line: 0,
            why: String::new(),
            tags: Vec::new(),
            source: Source::Composed,
            tools: None,
            tool_choice: ToolChoice::Auto,
            parallel_tool_calls: true,
            reasoning_open: false,
            end: End::Stop,
            raw: raw.into(),
            pieces: None,
            chunks: Vec::new(),
            soft: false,
            expect: Expect::default(),
            under: Vec::new(),
            one_of: Vec::new(),
            generate: None,
        }
    }

    /// What a reply may be: the outcomes of `one_of` if there are any, else `expect`; the first is the default.
    pub fn outcomes(&self) -> impl Iterator<Item = &Expect> {
        let only = self.one_of.is_empty().then_some(&self.expect);
        only.into_iter().chain(self.one_of.iter().map(|(expect, _)| expect))
    }

    /// The reading options of the case under `policies`; `parallel_tool_calls: false` sets `parallel=first`.
    #[must_use]
    pub fn options(&self, mut policies: Policies) -> ReadOptions {
        if !self.parallel_tool_calls {
            policies.parallel = streakstone_model::Parallel::First;
        }
        ReadOptions { tool_choice: self.tool_choice.clone(), reasoning_open: self.reasoning_open, policies, ..ReadOptions::default() }
    }
}

impl Case {
    /// Digest of what a reading depends on: dialect, raw text, tools, request, prompt and end cause. 32 hex digits. Not part of
    /// it: the name, what is expected, and how the text is cut.
    #[must_use]
    pub fn input_digest(&self) -> String {
        let mut digest = Digester::new();
        let dialect = match self.dialect {
            Lookup::Known(row) => row.name,
            Lookup::Unknown { .. } => &self.dialect_word,
        };
        digest.part(dialect.as_bytes()).part(&self.raw);
        match &self.tools {
            None => digest.part(b"no tools key"),
            Some(tools) => digest.part(tools.len().to_string().as_bytes()),
        };
        for tool in self.tools.iter().flat_map(|tools| tools.iter()) {
            digest.part(tool.name.as_bytes()).part(tool.parameters.to_string().as_bytes());
        }
        match &self.tool_choice {
            ToolChoice::Auto => digest.part(b"auto"),
            ToolChoice::Required => digest.part(b"required"),
            ToolChoice::None => digest.part(b"none"),
            ToolChoice::Function(name) => digest.part(b"function").part(name.as_bytes()),
        };
        digest.part(&[u8::from(self.parallel_tool_calls), u8::from(self.reasoning_open)]);
        digest.part(match self.end {
            End::Stop => b"stop",
            End::Length => b"length",
            End::StopString => b"stop_string",
        });
        digest.hex(16)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A plain case of this name.
    pub(crate) fn case(name: &str) -> Case {
        Case { file: PathBuf::from("corpus/hermes/t.yaml"), line: 3, why: "Because.".to_owned(), ..Case::of_text(name, "hermes", *b"hi") }
    }

    #[test]
    fn the_input_digest_changes_with_every_input_and_nothing_else() {
        let base = case("hermes/a/b");
        let digest = base.input_digest();
        assert_eq!(digest.len(), 32);
        let changed: [fn(&mut Case); 9] = [
            |c| c.raw = b"ho".to_vec(),
            |c| c.tools = Some(Arc::new(Vec::new())),
            |c| c.tools = Some(Arc::new(vec![Tool { name: "f".to_owned(), parameters: serde_json::json!({"type": "object"}) }])),
            |c| c.tool_choice = ToolChoice::None,
            |c| c.tool_choice = ToolChoice::Function("f".to_owned()),
            |c| c.parallel_tool_calls = false,
            |c| c.reasoning_open = true,
            |c| c.end = End::Length,
            |c| c.dialect = streakstone_model::lookup("qwen3_coder"),
        ];
        let mut seen = std::collections::BTreeSet::from([digest.clone()]);
        for change in changed {
            let mut other = base.clone();
            change(&mut other);
            assert!(seen.insert(other.input_digest()));
        }
        let mut same = base;
        same.name = "hermes/a/c".to_owned();
        same.why = "Otherwise.".to_owned();
        same.chunks = vec![vec![1]];
        same.dialect_word = "qwen25".to_owned();
        assert_eq!(same.input_digest(), digest);
    }
}
