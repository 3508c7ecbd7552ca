//! Generates the site's module with the list of actions, in the style of its formatter.

use flagship_actions::{ACTIONS, Argument, Factor, Kind, List, Type, arguments};
use serde_json::json;

/// Maximum line length.
const WIDTH: usize = 100;

const HEADER: &str = "\
/** Organizer actions. @generated from the server's list of actions by a server test. */

/** Actions by name, with roles, rules, affected lists, and typed arguments. */
";

const TYPES: &str = r#"
/** Action name. */
export type ActionName = keyof typeof ACTIONS;

/** Name of an organizer list on the live channel. */
export type List =
LISTS;

interface Types {
  readonly string: string;
  readonly time: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly object: Readonly<Record<string, unknown>>;
  readonly "string[]": readonly string[];
  readonly "object[]": readonly Readonly<Record<string, unknown>>[];
}

/** TypeScript type of an argument, from its type name or its allowed words. */
type TypeOf<Spec> = Spec extends keyof Types
  ? Types[Spec]
  : Spec extends readonly (infer Word)[]
    ? Word
    : never;

type FieldsOf<Name extends ActionName> = (typeof ACTIONS)[Name]["fields"];
type OptionalOf<Name extends ActionName> = (typeof ACTIONS)[Name]["optional"][number];

/** The arguments of an action. */
export type Fields<Name extends ActionName> = {
  readonly [Field in Exclude<keyof FieldsOf<Name>, OptionalOf<Name>>]: TypeOf<
    FieldsOf<Name>[Field]
  >;
} & {
  readonly [Field in Extract<keyof FieldsOf<Name>, OptionalOf<Name>>]?:
    | TypeOf<FieldsOf<Name>[Field]>
    | undefined;
};
"#;

/// Returns the text of `web/src/api/actions.ts`.
pub fn module() -> String {
    let actions: String = ACTIONS.iter().map(entry).collect();
    let lists: Vec<String> = List::ALL.iter().map(|list| format!("  | {}", json!(list))).collect();
    let types = TYPES.replace("LISTS", &lists.join("\n"));
    format!("{HEADER}export const ACTIONS = {{\n{actions}}} as const;\n{types}")
}

/// Formats an action with its constants and arguments.
fn entry(action: &Kind) -> String {
    let (rule, arguments) = (action.rule, arguments(action));
    let roles = rule.roles.iter().map(|role| quoted(role.as_str()));
    let lists = action.lists.iter().map(|list| json!(list).to_string());
    let fields = arguments.iter().map(|Argument { name, of, .. }| format!("{name}: {}", word(of)));
    let optional = arguments.iter().filter(|it| it.is_optional).map(|it| quoted(&it.name));
    let members = [
        group("roles", '[', roles.collect(), ']'),
        format!("factorAgain: {}", rule.factor == Factor::Again),
        format!("needsReason: {}", action.needs_reason),
        format!("movesTeams: {}", action.moves_teams),
        format!("canBeAnnounced: {}", action.can_be_announced),
        format!("canBeUndone: {}", action.can_be_undone),
        group("lists", '[', lists.collect(), ']'),
        group("fields", '{', fields.collect(), '}'),
        group("optional", '[', optional.collect(), ']'),
    ];
    let members: String = members.iter().map(|member| format!("    {member},\n")).collect();
    format!("  {}: {{\n{members}  }},\n", quoted(rule.name))
}

/// A list or an object, on one line if it fits.
fn group(name: &str, open: char, items: Vec<String>, close: char) -> String {
    let space = if open == '{' && !items.is_empty() { " " } else { "" };
    let line = format!("{name}: {open}{space}{}{space}{close}", items.join(", "));
    // The line is indented by four spaces and ends with a comma.
    if line.chars().count() + 5 <= WIDTH {
        return line;
    }
    let items: String = items.iter().map(|item| format!("      {item},\n")).collect();
    format!("{name}: {open}\n{items}    {close}")
}

fn quoted(text: &str) -> String {
    json!(text).to_string()
}

/// The type's name in the module, or its allowed words.
fn word(of: &Type) -> String {
    match of {
        Type::Text => quoted("string"),
        Type::Time => quoted("time"),
        Type::Integer => quoted("number"),
        Type::Boolean => quoted("boolean"),
        Type::Object => quoted("object"),
        Type::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            format!("[{}]", words.join(", "))
        }
        Type::List(of) if matches!(**of, Type::Text) => quoted("string[]"),
        Type::List(_) => quoted("object[]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_has_its_constants_and_arguments() {
        let action = flagship_actions::find("team.rename").expect("it is there");
        let expected = r#"  "team.rename": {
    roles: ["support", "organizer", "owner"],
    factorAgain: false,
    needsReason: true,
    movesTeams: false,
    canBeAnnounced: false,
    canBeUndone: true,
    lists: ["overview", "challenges", "source", "teams", "story", "flags"],
    fields: { name: "string", team: "string", offensive: "boolean" },
    optional: ["offensive"],
  },
"#;
        assert_eq!(entry(action), expected);
    }

    #[test]
    fn the_module_has_every_action_and_no_long_line() {
        let module = module();
        for action in ACTIONS {
            let name = action.rule.name;
            assert!(module.contains(&format!("\n  {}: {{\n", quoted(name))), "{name}");
        }
        for line in module.lines() {
            assert!(line.chars().count() <= WIDTH && line.trim_end() == line, "{line}");
        }
        assert!(module.ends_with("};\n") && !module.contains("\n\n\n"));
        assert!(
            module.contains("export type List =\n  | \"overview\"\n") && !module.contains("LISTS")
        );
    }

    #[test]
    fn what_is_too_long_for_a_line_has_a_line_for_each_item() {
        let items = vec!["x".repeat(50), "y".repeat(50)];
        let expected = format!("fields: {{\n      {},\n      {},\n    }}", items[0], items[1]);
        assert_eq!(group("fields", '{', items, '}'), expected);
        assert_eq!(group("fields", '{', Vec::new(), '}'), "fields: {}");
        let words = Type::Words(vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(word(&words), "[\"a\", \"b\"]");
    }
}
