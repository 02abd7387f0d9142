//! The C functions of `shim.cpp`, made safe.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::{self, NonNull};
use std::rc::Rc;

use serde_json::Value;

/// Opaque: a request's parser.
#[repr(C)]
struct RawRequest {
    _opaque: [u8; 0],
}

/// Opaque: a stream.
#[repr(C)]
struct RawStream {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn llama_chat_free_text(text: *mut c_char);
    fn llama_chat_open(
        template: *const c_char,
        tools: *const c_char,
        choice: *const c_char,
        parallel: c_int,
        thinking: c_int,
        out: *mut *mut RawRequest,
    ) -> *mut c_char;
    fn llama_chat_close(of: *mut RawRequest);
    fn llama_chat_whole(of: *const RawRequest, text: *const c_char, length: usize) -> *mut c_char;
    fn llama_chat_stream(of: *const RawRequest) -> *mut RawStream;
    fn llama_chat_stream_close(of: *mut RawStream);
    fn llama_chat_push(of: *mut RawStream, text: *const c_char, length: usize, partial: c_int) -> *mut c_char;
}

/// What a parser is made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The template's file.
    pub file: &'static str,
    /// The tools as JSON.
    pub tools: Option<String>,
    /// `auto`, `required` or `none`.
    pub choice: &'static str,
    /// `parallel_tool_calls`.
    pub parallel: bool,
    /// `enable_thinking`.
    pub thinking: bool,
}

/// A call, or what is new of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// The name.
    pub name: String,
    /// The arguments' JSON text.
    pub arguments: String,
    /// The model's id; empty without one.
    pub id: String,
}

impl Call {
    fn of(value: &Value) -> Self {
        Self { name: text(&value["name"]), arguments: text(&value["arguments"]), id: text(&value["id"]) }
    }
}

/// A finished text's reply.
pub struct Reply {
    /// Joined reasoning.
    pub reasoning: String,
    /// Joined content.
    pub content: String,
    /// The calls.
    pub calls: Vec<Call>,
}

/// What one delta brought.
pub struct News {
    /// The pieces, in the order that the server sends them.
    pub pieces: Vec<Piece>,
    /// All calls found so far, each in full.
    pub calls: Vec<Call>,
}

/// One piece: reasoning, content, or what is new of a call.
pub struct Piece {
    /// New reasoning.
    pub reasoning: String,
    /// New content.
    pub content: String,
    /// The call's index and what is new of it.
    pub call: Option<(usize, Call)>,
}

/// The parser for one request.
pub struct Chat {
    raw: NonNull<RawRequest>,
    opens_reasoning: bool,
    prompt: String,
}

impl Chat {
    /// Applies the template to the request.
    ///
    /// # Errors
    /// What llama.cpp says, such as a tool whose schema it cannot read.
    pub fn new(template: &str, asked: &Asked) -> Result<Self, String> {
        let c = |text: &str| CString::new(text).map_err(|_| "a NUL byte in the template or the tools".to_owned());
        let (template, choice) = (c(template)?, c(asked.choice)?);
        let tools = asked.tools.as_deref().map(c).transpose()?;
        let mut raw = ptr::null_mut();
        // SAFETY: all strings live to the end of the call and end in NUL; `raw` may be written.
        let told = unsafe {
            let tools = tools.as_ref().map_or(ptr::null(), |tools| tools.as_ptr());
            taken(llama_chat_open(template.as_ptr(), tools, choice.as_ptr(), asked.parallel.into(), asked.thinking.into(), &raw mut raw))
        }?;
        let raw = NonNull::new(raw).ok_or("no parser was made")?;
        let tag = text(&told["thinking"]);
        let prompt = text(&told["prompt"]);
        let mut chat = Self { raw, opens_reasoning: !tag.is_empty() && prompt.trim_end().ends_with(tag.trim()), prompt };
        // Not every template names its tag: one that opens the span in prose is known by what becomes of a word.
        chat.opens_reasoning |= chat.whole(b"word").is_ok_and(|reply| reply.reasoning.ends_with("word"));
        Ok(chat)
    }

    /// True if the prompt ends with the opener of the reasoning span.
    pub fn opens_reasoning(&self) -> bool {
        self.opens_reasoning
    }

    /// Bytes at the start of `raw` that the prompt has written, such as Muse's `<|start|>assistant`: the parser puts them there itself. Only a
    /// token counts, no white space or word that both happen to have.
    pub fn written_by_the_prompt(&self, raw: &[u8]) -> usize {
        let prompt = self.prompt.trim_end();
        if self.opens_reasoning {
            return 0;
        }
        let token = |at: &usize| !prompt[*at..].starts_with(|c: char| c.is_alphanumeric() || c.is_whitespace());
        let tails = prompt.char_indices().map(|(at, _)| at).filter(token);
        tails.map(|at| &prompt[at..]).find(|tail| raw.starts_with(tail.as_bytes())).map_or(0, str::len)
    }

    /// Reads a finished text.
    ///
    /// # Errors
    /// The parser says no.
    pub fn whole(&self, raw: &[u8]) -> Result<Reply, String> {
        // SAFETY: the parser lives as long as `self`, the bytes as long as the call.
        let told = unsafe { taken(llama_chat_whole(self.raw.as_ptr(), raw.as_ptr().cast(), raw.len())) }?;
        Ok(Reply { reasoning: text(&told["reasoning"]), content: text(&told["content"]), calls: calls(&told["calls"]) })
    }
}

impl Drop for Chat {
    fn drop(&mut self) {
        // SAFETY: it was made by `llama_chat_open` and is closed once.
        unsafe { llama_chat_close(self.raw.as_ptr()) }
    }
}

/// A stream of one request. It keeps the request's parser alive.
pub struct Stream {
    raw: NonNull<RawStream>,
    _of: Rc<Chat>,
}

impl Stream {
    /// Begins.
    ///
    /// # Errors
    /// No memory.
    pub fn new(of: Rc<Chat>) -> Result<Self, String> {
        // SAFETY: the parser lives as long as `of`, which the stream keeps.
        let raw = unsafe { llama_chat_stream(of.raw.as_ptr()) };
        Ok(Self { raw: NonNull::new(raw).ok_or("no memory for a stream")?, _of: of })
    }

    /// Takes in a delta; the last one is not partial.
    ///
    /// # Errors
    /// The parser says no, or what it found before is no longer there.
    pub fn push(&mut self, delta: &[u8], partial: bool) -> Result<News, String> {
        // SAFETY: the stream is ours alone, the bytes live as long as the call.
        let told = unsafe { taken(llama_chat_push(self.raw.as_ptr(), delta.as_ptr().cast(), delta.len(), partial.into())) }?;
        let piece = |value: &Value| {
            let index = value["index"].as_u64().and_then(|index| usize::try_from(index).ok());
            Piece {
                reasoning: text(&value["reasoning"]),
                content: text(&value["content"]),
                call: index.map(|i| (i, Call::of(&value["call"]))),
            }
        };
        Ok(News { pieces: told["news"].as_array().into_iter().flatten().map(piece).collect(), calls: calls(&told["calls"]) })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: it was made by `llama_chat_stream` and is closed once.
        unsafe { llama_chat_stream_close(self.raw.as_ptr()) }
    }
}

/// The JSON that a function gave, which is freed; its `error` is the error.
///
/// # Safety
/// `text` is null or a string of `shim.cpp` that nobody else holds.
unsafe fn taken(text: *mut c_char) -> Result<Value, String> {
    if text.is_null() {
        return Err("no memory for an answer".to_owned());
    }
    // SAFETY: it ends in NUL, and JSON has no other NUL byte.
    let parsed = serde_json::from_slice::<Value>(unsafe { CStr::from_ptr(text) }.to_bytes());
    // SAFETY: it is ours, and is not used after this.
    unsafe { llama_chat_free_text(text) };
    let value = parsed.map_err(|e| format!("the shim wrote no JSON: {e}"))?;
    match value.get("error").and_then(Value::as_str) {
        Some(why) => Err(why.to_owned()),
        None => Ok(value),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn calls(value: &Value) -> Vec<Call> {
    value.as_array().into_iter().flatten().map(Call::of).collect()
}
