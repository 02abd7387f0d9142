//! Reference parsers. (Being written; the public shape below is fixed.)
//!
//! ```ignore
//! let tools = ToolSet::new(Some(&tools));                       // compiled once a request; None = no `tools` key
//! let mut parser = Parser::new(dialect, &tools, &options);      // options: streakstone_model::ReadOptions
//! parser.push(bytes, &mut sink);                                // sink: streakstone_model::Sink; a delta may cut a UTF-8 character
//! parser.push_str(text, &mut sink);
//! parser.held() -> Held { bytes, unit_open };
//! parser.finish(end, &mut sink);                                // resets: the instance reads the next reply
//! ```
