//! In which line a key stands. The three formats tell places in three ways, and none for a rule about several keys; keys are therefore
//! looked up in the text, in the order in which they nest.

/// The line, from 1, of the key that `path` (keys joined by dots, an index in brackets after a key) leads to; of the last key that is
/// found.
pub(crate) fn line(text: &str, path: &str) -> usize {
    let mut at = 0;
    for key in path.split('.').filter(|key| !key.is_empty()) {
        let key = key.split('[').next().unwrap_or(key);
        match find(&text[at..], key) {
            Some(found) => at += found,
            None => break,
        }
    }
    text[..at].matches('\n').count() + 1
}

/// The place of `key` where it is a key: a whole word, then `:`, `=`, `]` of a TOML table or the dot of a TOML path. Comments are
/// passed over.
fn find(text: &str, key: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim_start().starts_with('#') {
            for (at, _) in line.match_indices(key) {
                let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
                let rest = line[at + key.len()..].trim_start_matches(['"', '\'']).trim_start();
                if !line[..at].ends_with(inside) && rest.starts_with([':', '=', ']', '.']) {
                    return Some(start + at);
                }
            }
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_the_order_in_which_they_nest() {
        let yaml = "# tags: none\nname: unit\nreasoning:\n  - {open: a, close: b}\ntags:\n  unit: [x, y]\n  parameter_open: z\n";
        assert_eq!(line(yaml, "tags.unit[1]"), 6);
        assert_eq!(line(yaml, "reasoning[0].close"), 4);
        assert_eq!(line(yaml, "tags.parameter"), 5, "a key that is not there is looked for where it would stand");
        assert_eq!(line(yaml, ""), 1);
        let toml = "name = \"x\"\n\n[tags]\nunit = [\"a\", \"b\"]\n";
        assert_eq!(line(toml, "tags.unit"), 4);
        let json = "{\n \"fields\": {\n  \"content\": {\"close\": \"x\"},\n  \"tool_calls\": {\n   \"close\" : 5}}}";
        assert_eq!(line(json, "fields.tool_calls.close"), 5);
    }
}
