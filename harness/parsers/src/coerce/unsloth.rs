//! Profile `unsloth`: statements U30 to U32 of the reference systems. Tag values are strings (U32); a bare string as arguments
//! finds its parameter.

use crate::text::{push_string, string};
use crate::tools::Compiled;

/// The key of a bare string where no tool is known (U30).
const KEY: &str = "query";

/// The arguments that the bare string `text` stands for: the value of the one required string parameter; `None` if the schema
/// does not say which. Other required parameters would be missing, so they make it ambiguous.
pub(crate) fn bare_string(text: &str, tool: Option<&Compiled>) -> Option<String> {
    let key = match tool {
        Some(tool) => tool.only_required_string()?,
        None => KEY,
    };
    let mut out = "{".to_owned();
    push_string(&mut out, key);
    out.push(':');
    out.push_str(&string(text));
    out.push('}');
    Some(out)
}
