//! What only shows with all challenges side by side: two of one name or id, requirements that name
//! nothing or lead in a circle, categories that differ only in case.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use crate::challenge_yml::Draft;
use crate::problem::{Problem, Severity, nearest, place, quote};

/// A draft and its file.
#[derive(Debug)]
pub(crate) struct Sourced {
    pub(crate) source: PathBuf,
    pub(crate) draft: Draft,
}

impl Sourced {
    fn problem(&self, severity: Severity, line: usize, message: String) -> Problem {
        Problem { severity, file: self.source.clone(), line, message }
    }

    fn error(&self, line: usize, message: String) -> Problem {
        self.problem(Severity::Error, line, message)
    }

    fn at(&self) -> String {
        format!("{}:{}", place(&self.source), self.draft.name_line)
    }
}

/// Marks what must not be loaded, and fills in the requirements of the rest.
pub(crate) fn join(drafts: &mut [Sourced]) -> Vec<Problem> {
    let mut problems = Vec::new();
    refuse_twins(drafts, &mut problems);
    let targets = resolve(drafts, &mut problems);
    refuse_circles(drafts, &targets, &mut problems);
    refuse_orphans(drafts, &targets, &mut problems);
    note_category_spellings(drafts, &mut problems);
    for (sourced, targets) in ids(drafts, &targets) {
        drafts[sourced].draft.challenge.requirements = targets;
    }
    problems
}

/// The first of two challenges with one name or id stays.
fn refuse_twins(drafts: &mut [Sourced], problems: &mut Vec<Problem>) {
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut ids: HashMap<String, usize> = HashMap::new();
    for i in (0..drafts.len()).filter(|&i| drafts[i].draft.usable).collect::<Vec<_>>() {
        let challenge = &drafts[i].draft.challenge;
        let (name, id) = (challenge.name.clone(), challenge.id.as_str().to_owned());
        let twin = names.get(&name).or_else(|| ids.get(&id)).copied();
        let Some(first) = twin else {
            names.insert(name, i);
            ids.insert(id, i);
            continue;
        };
        let what = match names.contains_key(&name) {
            true => format!("the name {}", quote(&name)),
            false => format!("the id {}", quote(&id)),
        };
        let at = drafts[first].at();
        let message = format!("{what} is already taken by {at}; this challenge is left out");
        problems.push(drafts[i].error(drafts[i].draft.name_line, message));
        drafts[i].draft.usable = false;
        drafts[i].draft.wanted.clear();
    }
}

/// The place of each requirement among the drafts. One that names nothing is an error.
fn resolve(drafts: &mut [Sourced], problems: &mut Vec<Problem>) -> Vec<Vec<(usize, usize)>> {
    let mut known: HashMap<String, usize> = HashMap::new();
    for usable in [false, true] {
        let some = || drafts.iter().enumerate().rev().filter(|(_, s)| s.draft.usable == usable);
        known.extend(some().map(|(i, s)| (s.draft.challenge.name.clone(), i)));
        known.extend(some().map(|(i, s)| (s.draft.challenge.id.as_str().to_owned(), i)));
    }
    let mut targets = Vec::new();
    for sourced in drafts.iter_mut() {
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut missing = Vec::new();
        for wanted in &sourced.draft.wanted {
            let name = wanted.text.split_whitespace().collect::<Vec<_>>().join(" ");
            match known.get(&name) {
                Some(&target) if found.iter().any(|&(other, _)| other == target) => {}
                Some(&target) => found.push((target, wanted.line)),
                None => missing.push(wanted.clone()),
            }
        }
        for wanted in missing {
            let near = nearest(known.keys().map(String::as_str), &wanted.text);
            let advice = match near {
                Some((near, true)) => format!("; is {} meant?", quote(near)),
                _ => String::new(),
            };
            let what = quote(&wanted.text);
            let message = format!("the requirement {what} names no challenge{advice}");
            problems.push(sourced.error(wanted.line, message));
            sourced.draft.usable = false;
        }
        targets.push(found);
    }
    targets
}

/// A challenge that could open only after itself could never open.
fn refuse_circles(
    drafts: &mut [Sourced],
    targets: &[Vec<(usize, usize)>],
    problems: &mut Vec<Problem>,
) {
    let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); drafts.len()];
    for (i, targets) in targets.iter().enumerate() {
        targets.iter().for_each(|&(target, _)| needed_by[target].push(i));
    }
    let mut open_needs: Vec<usize> = targets.iter().map(Vec::len).collect();
    let mut free: Vec<usize> = (0..drafts.len()).filter(|&i| open_needs[i] == 0).collect();
    while let Some(i) = free.pop() {
        for &next in &needed_by[i] {
            open_needs[next] -= 1;
            if open_needs[next] == 0 {
                free.push(next);
            }
        }
    }
    let stuck: HashSet<usize> = (0..drafts.len()).filter(|&i| open_needs[i] > 0).collect();
    for i in 0..drafts.len() {
        if !stuck.contains(&i) {
            continue;
        }
        let (path, line) = path_of_circle(i, drafts, targets, &stuck);
        let message = format!("these requirements lead in a circle, so it can never open: {path}");
        problems.push(drafts[i].error(line, message));
        drafts[i].draft.usable = false;
    }
}

/// The names from `start` along requirements that are stuck, until one repeats.
fn path_of_circle(
    start: usize,
    drafts: &[Sourced],
    targets: &[Vec<(usize, usize)>],
    stuck: &HashSet<usize>,
) -> (String, usize) {
    const STEPS_MAX: usize = 8;
    let next = |i: usize| targets[i].iter().find(|(target, _)| stuck.contains(target)).copied();
    let name = |i: usize| quote(&drafts[i].draft.challenge.name);
    let line = next(start).map_or(drafts[start].draft.name_line, |(_, line)| line);
    let mut seen = vec![start];
    let mut path = name(start);
    while let Some((target, _)) = next(seen[seen.len() - 1]) {
        path = format!("{path} needs {}", name(target));
        if seen.contains(&target) {
            break;
        }
        seen.push(target);
        if seen.len() > STEPS_MAX {
            path.push_str(" and so on");
            break;
        }
    }
    (path, line)
}

/// A challenge that needs one which is left out is left out too: it could never open.
fn refuse_orphans(
    drafts: &mut [Sourced],
    targets: &[Vec<(usize, usize)>],
    problems: &mut Vec<Problem>,
) {
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..drafts.len() {
            let lost = targets[i].iter().find(|(target, _)| !drafts[*target].draft.usable);
            let Some(&(target, line)) = lost.filter(|_| drafts[i].draft.usable) else {
                continue;
            };
            let name = quote(&drafts[target].draft.challenge.name);
            let message = format!("it requires {name}, which has an error and is left out");
            problems.push(drafts[i].error(line, message));
            drafts[i].draft.usable = false;
            changed = true;
        }
    }
}

fn ids(
    drafts: &[Sourced],
    targets: &[Vec<(usize, usize)>],
) -> Vec<(usize, Vec<flagship_game::ChallengeId>)> {
    let id = |&(target, _): &(usize, usize)| drafts[target].draft.challenge.id.clone();
    targets.iter().enumerate().map(|(i, targets)| (i, targets.iter().map(id).collect())).collect()
}

fn note_category_spellings(drafts: &[Sourced], problems: &mut Vec<Problem>) {
    let mut first: HashMap<String, (String, String)> = HashMap::new();
    let mut told: HashSet<String> = HashSet::new();
    for sourced in drafts.iter().filter(|sourced| sourced.draft.usable) {
        for category in &sourced.draft.challenge.categories {
            let (spelling, at) = first
                .entry(category.to_lowercase())
                .or_insert_with(|| (category.clone(), sourced.at()));
            if spelling != category && told.insert(category.clone()) {
                let (this, other) = (quote(category), quote(spelling));
                let message = format!(
                    "the category {this} is written {other} in {at}; they are two categories"
                );
                problems.push(sourced.problem(Severity::Note, sourced.draft.name_line, message));
            }
        }
    }
}
