//! Toolsets and inline tool lists.

use std::collections::BTreeSet;
use std::sync::Arc;

use streakstone_model::Tool;

use crate::load::node::{Node, Value};
use crate::load::report::FileReport;

/// A list of tool objects as the `OpenAI` API has them. `None` if any is refused; why is in the report.
pub(crate) fn list(node: &Node, report: &mut FileReport<'_>) -> Option<Arc<Vec<Tool>>> {
    let Value::List(items) = &node.value else {
        report.at(
            node.place,
            format!("tools must be a list of objects `{{type: function, function: {{name, parameters}}}}`, not {}", node.value.kind()),
        );
        return None;
    };
    let mut tools = Vec::new();
    let mut names = BTreeSet::new();
    let mut whole = true;
    for item in items {
        match tool(item) {
            Ok(tool) => {
                if !names.insert(tool.name.clone()) {
                    report.at(item.place, format!("a second tool `{}` in one list; rename or remove it", tool.name));
                    whole = false;
                }
                tools.push(tool);
            }
            Err((place, message)) => {
                report.at(place, message);
                whole = false;
            }
        }
    }
    whole.then(|| Arc::new(tools))
}

fn tool(item: &Node) -> Result<Tool, (crate::load::node::Place, String)> {
    let value = item.value()?;
    let tool = Tool::from_openai(&value)
        .map_err(|e| (item.place, format!("not an OpenAI tool object: {e}; write `{{type: function, function: {{name, parameters}}}}`")))?;
    check_schema(&tool).map_err(|message| (item.place, message))?;
    Ok(tool)
}

/// Checks a tool's parameters against the JSON Schema draft that they name (2020-12 if none). The `jsonschema` crate holds the
/// meta-schemas itself and is built without its network and file resolvers, so that a schema cannot make us fetch anything.
fn check_schema(tool: &Tool) -> Result<(), String> {
    if tool.parameters.is_null() {
        return Ok(());
    }
    let refusal = |what: String| format!("the parameters of tool `{}` are no valid JSON Schema: {what}; mend the schema", tool.name);
    match jsonschema::meta::validate(&tool.parameters) {
        Ok(()) => Ok(()),
        Err(error) => {
            let at = error.instance_path().to_string();
            let at = if at.is_empty() { String::new() } else { format!(" at {at}") };
            // A message may quote the whole schema.
            let text: String = error.to_string().chars().take(200).collect();
            Err(refusal(format!("{text}{at}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::report::Report;

    fn read(text: &str) -> (Option<Arc<Vec<Tool>>>, Vec<String>) {
        let node = crate::load::yaml::parse(text).unwrap();
        let mut report = Report::default();
        let tools = list(&node, &mut FileReport { file: "t.yaml".into(), report: &mut report });
        (tools, report.errors.into_iter().map(|e| format!("{}: {}", e.line, e.message)).collect())
    }

    #[test]
    fn openai_objects_are_read_in_order() {
        let (tools, errors) = read(
            "- {type: function, function: {name: g, parameters: {type: object, properties: {b: {type: string}, a: {}}}}}\n- type: function\n  function: {name: f}\n",
        );
        assert_eq!(errors, Vec::<String>::new());
        let tools = tools.unwrap();
        assert_eq!(tools.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["g", "f"]);
        assert_eq!(tools[0].properties().unwrap().keys().collect::<Vec<_>>(), ["b", "a"]);
    }

    #[test]
    fn every_bad_tool_is_named() {
        let (tools, errors) = read(
            "- {type: function, function: {name: f, parameters: {type: strng}}}\n- {type: function, function: {name: g, arguments: {}}}\n- {type: function, function: {name: h, parameters: {required: x}}}\n- {type: function, function: {name: g2}}\n- {type: function, function: {name: g2}}\n",
        );
        assert!(tools.is_none());
        assert_eq!(errors.len(), 4, "{errors:#?}");
        assert!(errors[0].starts_with("1: the parameters of tool `f` are no valid JSON Schema"), "{errors:#?}");
        assert!(errors[1].contains("unknown field `arguments`"));
        assert!(errors[2].contains("tool `h`"));
        assert!(errors[3].contains("a second tool `g2`"));
        assert!(read("{a: 1}").1[0].contains("must be a list"));
    }
}
