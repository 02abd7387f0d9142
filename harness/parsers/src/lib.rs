//! Reference parsers: one push parser for every dialect of the table.
//!
//! What a text means is the semantics page; here is how. Every decision is taken at a byte position of the input, never
//! where a delta ends, so that whole and streamed readings are equal for every cut by construction. No byte is looked at
//! more than a constant number of times. There is no I/O, no clock, no thread and no unsafe code.
//!
//! ```
//! use streakstone_model::{End, Event, Lookup, ReadOptions, Reply, Tool, lookup};
//! use streakstone_parsers::{Parser, ToolSet};
//!
//! let Lookup::Known(dialect) = lookup("hermes") else { unreachable!() };
//! let tool = Tool { name: "f".into(), parameters: serde_json::json!({}) };
//! let tools = ToolSet::new(Some(&[tool]));
//! let options = ReadOptions::default();
//! let mut parser = Parser::new(dialect, &tools, &options);
//! let mut events: Vec<Event> = Vec::new();
//! parser.push_str("Sure.<tool_", &mut events);
//! parser.push_str("call>{\"name\": \"f\", \"arguments\": {}}</tool_call>", &mut events);
//! parser.finish(End::Stop, &mut events);
//! let reply = Reply::from_events(&events).unwrap();
//! assert_eq!(reply.content(), "Sure.");
//! assert_eq!(reply.calls().next().unwrap().name, "f");
//! ```
//!
//! A server that has the model's tokens hands them over as such: then only special tokens are markers, and text that spells one
//! is text.
//!
//! ```
//! use streakstone_model::{End, Event, Lookup, ReadOptions, Reply, lookup};
//! use streakstone_parsers::{Parser, SpecialTokens, Token, ToolSet};
//!
//! let Lookup::Known(dialect) = lookup("harmony") else { unreachable!() };
//! let (tools, options) = (ToolSet::new(None), ReadOptions::default());
//! let mut parser = Parser::new(dialect, &tools, &options).with_tokens(SpecialTokens::o200k_harmony());
//! let mut events: Vec<Event> = Vec::new();
//! let (channel, message, end) = (Token::Special(200_005), Token::Special(200_008), Token::Special(200_007));
//! for token in [channel, Token::Text(b"final"), message, Token::Text(b"It is written <|end|>."), end] {
//!     parser.push_token(token, &mut events)?;
//! }
//! parser.finish(End::Stop, &mut events);
//! let reply = Reply::from_events(&events).unwrap();
//! assert_eq!(reply.content(), "It is written <|end|>.");
//! # Ok::<(), streakstone_parsers::UnknownToken>(())
//! ```

mod coerce;
mod core;
mod family;
mod out;
mod parser;
mod python;
mod row;
mod scan;
mod text;
mod token;
mod tools;
mod unit;
mod utf8;
mod window;

pub use parser::{Held, Parser};
pub use token::{SpecialTokens, Token, UnknownToken};
pub use tools::ToolSet;
