//! A test that no `let` binds several names to a tuple of literals and new values, which only saves
//! lines: `let (mut rows, mut count) = (Vec::new(), 0);`.

use syn::visit::{self, Visit};
use syn::{Expr, ExprTuple, Lit, Local, Macro, Pat, Path, UnOp};

use crate::tidy::{assert_clean, files};

/// Macros that create new values.
const MAKERS: [&str; 3] = ["format", "json", "vec"];

/// Lines of bindings that must be split.
#[derive(Default)]
struct Packed(Vec<usize>);

impl Visit<'_> for Packed {
    fn visit_local(&mut self, local: &Local) {
        visit::visit_local(self, local);
        let init = local.init.as_ref().filter(|init| init.diverge.is_none());
        if let (Pat::Tuple(pattern), Some(Expr::Tuple(values))) =
            (&local.pat, init.map(|it| &*it.expr))
            && let Some(names) = pattern.elems.iter().map(name).collect::<Option<Vec<_>>>()
            && names.len() == values.elems.len()
            && values.elems.iter().any(is_plain)
            && !names_earlier(&names, values)
        {
            self.0.push(local.let_token.span.start().line);
        }
    }

    fn visit_macro(&mut self, call: &Macro) {
        if let Ok(file) = call.parse_body::<syn::File>() {
            self.visit_file(&file);
        } else if let Ok(statements) = call.parse_body_with(syn::Block::parse_within) {
            statements.iter().for_each(|statement| self.visit_stmt(statement));
        }
    }
}

/// The name that a part of a pattern binds.
fn name(part: &Pat) -> Option<String> {
    match part {
        Pat::Ident(part) if part.subpat.is_none() && part.by_ref.is_none() => {
            Some(part.ident.to_string())
        }
        _ => None,
    }
}

/// Looks for names in a value.
struct Mentions<'a> {
    names: &'a [String],
    is_found: bool,
}

impl Visit<'_> for Mentions<'_> {
    fn visit_path(&mut self, path: &Path) {
        visit::visit_path(self, path);
        self.is_found |=
            path.get_ident().is_some_and(|word| self.names.contains(&word.to_string()));
    }

    fn visit_macro(&mut self, call: &Macro) {
        let text = call.tokens.to_string();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        self.is_found |= words.any(|word| self.names.iter().any(|name| name == word));
    }
}

/// True if a value uses a name bound by an earlier part, as in a swap, which cannot be split.
fn names_earlier(names: &[String], values: &ExprTuple) -> bool {
    values.elems.iter().enumerate().any(|(place, value)| {
        let mut mentions = Mentions { names: &names[..place], is_found: false };
        mentions.visit_expr(value);
        mentions.is_found
    })
}

/// True for a literal, a constant or a constructor, borrowed, awaited or unwrapped by `?` too.
fn is_plain(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Array(_) | Expr::Repeat(_) | Expr::Struct(_) => true,
        Expr::Unary(unary) => !matches!(unary.op, UnOp::Deref(_)) && is_plain(&unary.expr),
        Expr::Reference(value) => is_plain(&value.expr),
        Expr::Try(value) => is_plain(&value.expr),
        Expr::Await(value) => is_plain(&value.base),
        Expr::MethodCall(call) => {
            let is_text = matches!(&*call.receiver, Expr::Lit(it) if matches!(it.lit, Lit::Str(_)));
            is_text && ["to_owned", "to_string", "into"].iter().any(|it| call.method == it)
        }
        Expr::Path(path) => path.path.segments.last().is_some_and(|it| is_upper(&it.ident)),
        Expr::Call(call) => matches!(&*call.func, Expr::Path(path) if is_constructor(&path.path)),
        Expr::Macro(call) => MAKERS.iter().any(|maker| call.mac.path.is_ident(maker)),
        _ => false,
    }
}

/// True for a path of or below a type or variant: `Some`, `Vec::new`.
fn is_constructor(path: &Path) -> bool {
    path.segments.iter().any(|segment| is_upper(&segment.ident))
}

fn is_upper(word: &syn::Ident) -> bool {
    word.to_string().starts_with(char::is_uppercase)
}

fn packed(text: &str) -> Vec<usize> {
    let mut packed = Packed::default();
    packed.visit_file(&syn::parse_file(text).expect("it is Rust"));
    packed.0
}

#[test]
fn no_tuple_binds_literals_and_new_values() {
    let sources = files().into_iter().filter(|file| file.path.ends_with(".rs"));
    let findings: Vec<String> = sources
        .flat_map(|file| {
            let lines = packed(&file.text);
            lines.into_iter().map(move |line| format!("{}:{line}", file.path))
        })
        .collect();
    assert_clean("each name has its own `let`", &findings);
}

#[test]
fn packed_bindings_are_told_from_others() {
    let each = [
        ("let (a, mut b) = (None, Vec::new());", true),
        ("let (a, b) = (x.len(), -1);", true),
        ("let (a, b) = (\"x\".to_owned(), f(x));", true),
        ("let (a, b) = (TestSite::new(engine).await?, y);", true),
        ("let (a, b) = (vec![x], Duration::ZERO);", true),
        ("let (a, b) = (S { x }, y);", true),
        ("select! { _ = x => { let (a, b) = (1, 2); } }", false),
        ("on_both! { async fn f() { let (a, b) = (1, 2); } }", true),
        ("let (a, b) = (x.len(), y.len());", false),
        ("let (a, b) = (f(x), *y);", false),
        ("let (a, b) = pair(1, 2);", false),
        ("let (a, b) = (1, a + 1);", false),
        ("let (a, b) = (Some(b), format!(\"{a}\"));", false),
        ("let (a, b) = (1, x.a);", true),
        ("let (Some(a), b) = (x, 1) else { return };", false),
        ("let (_, (a, b)) = (1, x);", false),
    ];
    for (code, is_packed) in each {
        let lines = packed(&format!("fn f() {{\n{code}\n}}"));
        assert_eq!(lines, if is_packed { vec![2] } else { Vec::new() }, "{code}");
    }
}
