//! Content `json` with bare keys and strings between delimiters of the model's own, behind a name that the opener holds.

use serde::Deserialize;
use serde_json::Value;
use streakstone_model::BraceCalls;

use crate::check::Check;
use crate::error::Fault;
use crate::template::field::Field;
use crate::template::pattern::Piece;

const KEYS: &str = "unquoted_keys";
const STRINGS: &str = "string_delims";

/// True if the keys or strings of the content are not those of JSON.
pub(super) fn are_meant(field: &Field) -> bool {
    field.args.contains_key(KEYS) || field.args.contains_key(STRINGS)
}

/// `OPEN head name {key:value,...} CLOSE`.
pub(super) fn grammar(field: &Field, group: &str, check: &mut Check) -> Result<BraceCalls, Fault> {
    field.only_args(&[KEYS, STRINGS])?;
    if field.args.get(KEYS) != Some(&Value::Bool(true)) {
        return Err(field.fault(&format!("content_args.{KEYS}"), "must be true: where strings have delimiters of their own, keys are bare"));
    }
    let strings = format!("content_args.{STRINGS}");
    let pairs = field.args.get(STRINGS).and_then(|pairs| Vec::<[String; 2]>::deserialize(pairs).ok());
    let quote = match pairs.as_deref() {
        Some([[open, close]]) if open == close => check.quote(&format!("{}.{strings}", field.at), open.as_str()),
        _ => {
            return Err(field.fault(
                &strings,
                "must be one pair, the same text twice; JSON's own quotes are read in any case, leave them out, or write a dialect file",
            ));
        }
    };
    let pieces = field.open.as_ref().map_or(&[][..], |anchor| anchor.pieces.as_slice());
    let [Piece::Text(before), Piece::Group(name)] = pieces else { return Err(refused(field, group)) };
    if name != group {
        return Err(refused(field, group));
    }
    // What stands behind the opener's `>` is the word before the name. Models leave it out, and repeat it without the opener.
    let before = before.trim();
    let (open, head) = before.rfind('>').map_or((before, ""), |end| before.split_at(end + 1));
    let close = field.close.as_ref().map_or_else(|| Ok(Vec::new()), |anchor| anchor.literals(field))?;
    let open_at = format!("{}.open_pattern", field.at);
    Ok(BraceCalls {
        open: check.markers(&open_at, [open.to_owned()]),
        close: check.markers(&format!("{}.close", field.at), close),
        heads: check.markers(&open_at, Some(head.to_owned()).filter(|head| !head.is_empty())),
        quote,
        words: false,
    })
}

fn refused(field: &Field, group: &str) -> Fault {
    field.fault("open_pattern", format!("must be one literal and then the group `{group}`; write a dialect file for other forms"))
}
