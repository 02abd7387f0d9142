//! Numbers as Python reads and prints them: `int()`, `float()`, `json.dumps`.

use serde_json::Number;

use crate::text::compact;

/// The digits of `int(text)`: a sign, leading zeros and single underscores between digits are admitted, any size.
pub(super) fn int(text: &str) -> Option<String> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = plain(digits)?;
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") })
}

/// `float(text)`, if it is finite.
pub(super) fn float(text: &str) -> Option<f64> {
    let text = plain(text.trim())?;
    // Words (`inf`, `nan`) are no finite numbers, so nothing but digits and their punctuation is let through.
    let digits = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    text.parse().ok().filter(|value: &f64| digits && value.is_finite())
}

/// `text` without the underscores that stand single between digits; `None` if one stands elsewhere or nothing is there.
fn plain(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let sound = bytes.iter().enumerate().all(|(i, &b)| b != b'_' || (i > 0 && digit(i - 1) && digit(i + 1)));
    (sound && !text.is_empty()).then(|| text.replace('_', ""))
}

/// A float as `json.dumps` prints it: the shortest digits that read back the same.
pub(super) fn print(value: f64) -> String {
    Number::from_f64(value).map_or_else(|| "null".to_owned(), |number| number.to_string())
}

/// A float that became an integer if it is whole: all its digits.
pub(super) fn print_whole(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { print(value) }
}

/// `json.loads(text)` printed again, if it is JSON and no number that Python reads as infinite.
pub(super) fn loads(text: &str, depth: usize) -> Option<String> {
    compact(text, depth).filter(|json| !json.starts_with(|c: char| c == '-' || c.is_ascii_digit()) || float(json).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn int_reads_what_python_reads() {
        for (text, want) in [("007", "7"), (" +5 ", "5"), ("-0", "0"), ("1_000", "1000"), ("-12", "-12")] {
            assert_eq!(int(text).as_deref(), Some(want), "{text}");
        }
        for text in ["", "5.0", "1e3", "_1", "1__0", "1_", "0x1", "- 5", "+-5"] {
            assert_eq!(int(text), None, "{text}");
        }
    }

    #[test]
    fn an_infinite_number_is_no_json() {
        assert_eq!(loads(" 1e400", 8), None);
        assert_eq!(loads("[1 ]", 8).as_deref(), Some("[1]"));
        assert_eq!(loads("-1.50", 8).as_deref(), Some("-1.50"));
    }

    #[test]
    fn floats_round_and_print_as_pythons() {
        let read = |text| float(text).map(print);
        assert_eq!(read("1e3").as_deref(), Some("1000.0"));
        assert_eq!(read(".5").as_deref(), Some("0.5"));
        assert_eq!(read("1_0.5").as_deref(), Some("10.5"));
        assert_eq!(float("12345678901234567890").map(print_whole).as_deref(), Some("12345678901234567168"));
        assert_eq!(float("1.50").map(print_whole).as_deref(), Some("1.5"));
        for text in ["nan", "inf", "-Infinity", "1e999", "", "abc", "1e", "1 2"] {
            assert_eq!(float(text), None, "{text}");
        }
    }
}
