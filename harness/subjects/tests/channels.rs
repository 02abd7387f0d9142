//! The reference keeps every law on messages with headers: their words are framing, and their tokens leak nowhere.

use streakstone_model::{End, Tool};
use streakstone_subjects::by_name;
use streakstone_suite::case::Case;
use streakstone_suite::judge::Judge;
use streakstone_suite::plan::Plan;

fn case(dialect: &str, raw: &str, end: End) -> Case {
    Case {
        tools: Some(vec![Tool { name: "f".to_owned(), parameters: serde_json::json!({}) }].into()),
        end,
        ..Case::of_text(format!("{dialect}/headers/test"), dialect, raw)
    }
}

#[test]
fn every_law_holds_on_messages() {
    let call = "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\": \"<|end|>\"}<|call|>";
    let zz = call.replace(".f", ".zz");
    let broken = call.replace('}', "]");
    let texts = [
        ("harmony", format!("<|channel|>analysis<|message|>Hm.\n<|end|>\n{call}{call}\nBye.")),
        ("harmony", format!("A\n{zz}<|channel|>weird<|message|>B<|end|>{broken}{call}}}")),
        ("harmony", format!(" to=functions.f<|channel|>analysis code json<|message|>{{}}<|call|>{}", &call[..60])),
        ("harmony", format!("{call}<|start|>assistant<|channel|>––final<|message|>B<|return|><|start|>assis")),
        (
            "llm_jp",
            "<|channel|> analysis<|message|> A<|end|><|start|> assistant to=functions.f<|channel|> commentary json<|message|> {}"
                .to_owned(),
        ),
        ("beam", " to=f<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name=\"a\">\n1\n</rfl:parameter><|call|>".to_owned()),
        (
            "muse",
            " to=self<|message|>A<|eom|><|start|>assistant to=f<|message|><atem:function_calls>\n<atem:invoke name=\"f\">\n\
             <atem:parameter name=\"a\">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant to=user\
             <|message|>B<|eot|>"
                .to_owned(),
        ),
        (
            "inkling",
            "<|content_thinking|>A<|end_message|><|message_model|>f<|content_invoke_tool_json|>{\"name\": \"f\", \"args\": {}}\
             <|end_message|><|message_model|><|content_text|>B"
                .to_owned(),
        ),
        (
            "muse",
            "So\n<|start|>assistant to=zz<|message|><atem:function_calls>\n<atem:invoke name=\"zz\">\n</atem:invoke>\n<atem:invoke name=\"f\">\n\
             </atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant to=f<|message|>text<|eom|><|start|>assistant to=us"
                .to_owned(),
        ),
        ("beam", "<|start|>assistant to=f<|message|><rfl:parameter name=\"a\">\n<|end|>\n</rfl:parameter>\n<|start|>assistant<|channel|>final".to_owned()),
        ("inkling", "f<|content_invoke_tool_json|>{\"name\": \"zz\", \"args\": {}}<|end_message|><|message_model|>f<|content_invoke".to_owned()),
        ("inkling", "Hello <|message_model|>x y<|content_thinking|>A <|content_invoke_tool_json|>{\"name\": \"f\", \"args\": {\"a\": 1".to_owned()),
        ("functionary_v32", "f\n{\"a\": \">>>f\\n\"}\n>>>all\nx >>> y\n>>>f\n[1]".to_owned()),
        ("functionary_v32", "all\nSure.>>>f\n{\"a\": 1}>>>zz\n{}<|eot_id|>".to_owned()),
    ];
    for (dialect, raw) in texts {
        for end in [End::Stop, End::Length] {
            let judged =
                Judge { plans: Plan::ALL.to_vec(), ..Judge::default() }.judge(&*by_name("reference").unwrap(), &case(dialect, &raw, end));
            let failures: Vec<_> = judged.failures().map(|c| (c.law, c.plan, &c.cut, &c.policies, &c.detail)).take(2).collect();
            assert!(failures.is_empty(), "{dialect}, {end:?}, {raw}: {failures:#?}");
        }
    }
}
