//! U3, U10, U11: when healing is off, and what may be promoted.

mod texts;

use serde_json::{Value, json};
use streakstone_healing::{Gate, Off, Switches, gate};
use streakstone_model::Parallel;
use streakstone_surfaces::Surface;

use texts::{on, tools};

fn off(surface: Surface, request: &Value, switches: Switches) -> Off {
    match gate(surface, request, switches) {
        Gate::Off(why) => why,
        Gate::On(promotable) => panic!("on for {:?}", promotable.names()),
    }
}

fn names(surface: Surface, request: &Value) -> Vec<String> {
    on(surface, request).names().to_vec()
}

fn with(surface: Surface, key: &str, value: Value) -> Value {
    let mut request = json!({"tools": tools(surface)});
    request[key] = value;
    request
}

#[test]
fn u3_the_environment_is_handed_in_and_read_once() {
    let switches = |name: &'static str, value: &'static str| Switches::read(move |asked| (asked == name).then(|| value.to_owned()));
    assert_eq!(Switches::read(|_| None), Switches { healing: true, nudge: false });
    for yes in ["1", "true", " YES ", "on"] {
        assert_eq!(switches(Switches::DISABLE, yes), Switches { healing: false, nudge: false });
        assert_eq!(switches(Switches::NUDGE, yes), Switches { healing: true, nudge: true });
    }
    for no in ["0", "", "false", "off"] {
        assert_eq!(switches(Switches::DISABLE, no), Switches::default());
    }
}

#[test]
fn u3_a_request_opts_out_of_healing_and_into_the_nudge() {
    for surface in Surface::ALL {
        let on_by_default = on(surface, &json!({"tools": tools(surface)}));
        assert!(!on_by_default.nudges());
        assert!(on(surface, &with(surface, "nudge_tool_calls", json!(true))).nudges());
        let nudging = Switches { nudge: true, ..Switches::default() };
        let Gate::On(own) = gate(surface, &with(surface, "nudge_tool_calls", json!(false)), nudging) else { panic!() };
        assert!(!own.nudges(), "the request's own word counts");
        // Who opts out of healing opts out of the nudge: there is nothing to nudge with.
        let mut both = with(surface, "auto_heal_tool_calls", json!(false));
        both["nudge_tool_calls"] = json!(true);
        assert_eq!(off(surface, &both, Switches::default()), Off::OptedOut);
        assert_eq!(names(surface, &with(surface, "auto_heal_tool_calls", json!(null))), ["a", "b", "f", "g", "typed"]);
    }
}

#[test]
fn u10_healing_is_off_for_each_named_reason() {
    for surface in Surface::ALL {
        let request = json!({"tools": tools(surface)});
        assert_eq!(off(surface, &request, Switches { healing: false, nudge: true }), Off::Disabled);
        assert_eq!(off(surface, &json!([1]), Switches::default()), Off::NotARequest);
        for tools in [json!(null), json!([]), json!("x"), json!([1, null, {}, {"type": "function"}])] {
            assert_eq!(off(surface, &json!({"tools": tools}), Switches::default()), Off::NoTools);
        }
        for none in [json!("none"), json!({"type": "none"})] {
            assert_eq!(off(surface, &with(surface, "tool_choice", none), Switches::default()), Off::ChoiceIsNone);
        }
    }
    let words: Vec<&str> =
        [Off::Disabled, Off::NotARequest, Off::OptedOut, Off::ChoiceIsNone, Off::NoTools, Off::ChoiceNotDeclared].map(Off::as_str).to_vec();
    assert_eq!(words.iter().collect::<std::collections::HashSet<_>>().len(), words.len());
}

#[test]
fn u10_malformed_tools_are_ignored() {
    let request = json!({"tools": [
        null, 7, "f", {}, {"type": "function"}, {"type": "function", "function": null}, {"type": "function", "function": {"name": ""}},
        {"type": "function", "function": {"name": 3}}, {"type": "custom", "custom": {"name": "c"}},
        {"type": "function", "function": {"name": "f", "parameters": "no schema", "strict": true, "vendor": 1}}, {"function": {"name": "g"}},
    ]});
    assert_eq!(names(Surface::Chat, &request), ["f", "g"]);
    let request = json!({"tools": [{"type": "web_search"}, {"type": "custom", "name": "c"}, {"type": "function", "name": "f"}]});
    assert_eq!(names(Surface::Responses, &request), ["f"]);
    let request =
        json!({"tools": [{"type": "bash_20250124", "name": "bash"}, {"type": "custom", "name": "c"}, {"name": "f", "input_schema": {}}]});
    assert_eq!(names(Surface::Anthropic, &request), ["c", "f"]);
}

#[test]
fn u11_a_named_choice_narrows_and_an_unknown_shape_does_not() {
    let named = |surface| match surface {
        Surface::Chat => json!({"type": "function", "function": {"name": "f"}}),
        Surface::Responses => json!({"type": "function", "name": "f"}),
        Surface::Anthropic => json!({"type": "tool", "name": "f"}),
    };
    for surface in Surface::ALL {
        assert_eq!(names(surface, &with(surface, "tool_choice", named(surface))), ["f"]);
        let mut other = named(surface);
        match surface {
            Surface::Chat => other["function"]["name"] = json!("zz"),
            Surface::Responses | Surface::Anthropic => other["name"] = json!("zz"),
        }
        assert_eq!(off(surface, &with(surface, "tool_choice", other), Switches::default()), Off::ChoiceNotDeclared);
        for all in [json!("auto"), json!("required"), json!({"type": "any"}), json!({"odd": true}), json!(7), json!(null), json!("zz")] {
            assert_eq!(names(surface, &with(surface, "tool_choice", all)).len(), 5);
        }
    }
    let allowed = json!({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "g"}]});
    assert_eq!(names(Surface::Responses, &with(Surface::Responses, "tool_choice", allowed)), ["g"]);
    let allowed =
        json!({"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "g"}}]}});
    assert_eq!(names(Surface::Chat, &with(Surface::Chat, "tool_choice", allowed)), ["g"]);
}

#[test]
fn u43_the_requests_word_on_parallel_calls_is_kept() {
    assert_eq!(on(Surface::Chat, &with(Surface::Chat, "parallel_tool_calls", json!(false))).parallel(), Parallel::First);
    let choice = json!({"type": "auto", "disable_parallel_tool_use": true});
    assert_eq!(on(Surface::Anthropic, &with(Surface::Anthropic, "tool_choice", choice)).parallel(), Parallel::First);
    assert_eq!(on(Surface::Responses, &json!({"tools": tools(Surface::Responses)})).parallel(), Parallel::All);
}
