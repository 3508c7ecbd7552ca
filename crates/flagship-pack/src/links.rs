//! Checks across all challenges: duplicate names and ids, requirements that name no challenge or
//! form a cycle, categories that differ only in case.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use flagship_game::Secret;

use crate::challenge_yml::Descriptor;
use crate::problem::{Problem, Severity, nearest, place, quote};

/// The most names that missing requirements are compared with, to name the nearest.
const COMPARED_MAX: usize = 10_000;

/// A descriptor and the path of its file.
#[derive(Debug)]
pub(crate) struct Sourced {
    pub(crate) source: PathBuf,
    /// The content of the file.
    pub(crate) text: Secret,
    pub(crate) descriptor: Descriptor,
}

impl Sourced {
    fn problem(&self, severity: Severity, line: usize, message: String) -> Problem {
        Problem { severity, file: self.source.clone(), line, message }
    }

    fn error(&self, line: usize, message: String) -> Problem {
        self.problem(Severity::Error, line, message)
    }

    fn at(&self) -> String {
        match self.is_private() {
            true => "another challenge".to_owned(),
            false => format!("{}:{}", place(&self.source), self.descriptor.name_line),
        }
    }

    /// True if messages must not name it.
    fn is_private(&self) -> bool {
        self.source.as_os_str().is_empty()
    }

    /// The name for messages.
    fn shown_name(&self) -> String {
        match self.is_private() {
            true => "another challenge".to_owned(),
            false => quote(&self.descriptor.challenge.name),
        }
    }
}

/// Marks challenges that must not be loaded as not usable, and resolves the requirements of the
/// rest.
pub(crate) fn join(descriptors: &mut [Sourced]) -> Vec<Problem> {
    let mut problems = Vec::new();
    refuse_duplicates(descriptors, &mut problems);
    let targets = resolve(descriptors, &mut problems);
    refuse_cycles(descriptors, &targets, &mut problems);
    refuse_dependents(descriptors, &targets, &mut problems);
    warn_of_hidden(descriptors, &targets, &mut problems);
    warn_of_category_spellings(descriptors, &mut problems);
    for (sourced, targets) in ids(descriptors, &targets) {
        descriptors[sourced].descriptor.challenge.requirements = targets;
    }
    problems
}

/// Refuses a challenge whose name or id an earlier one has.
fn refuse_duplicates(descriptors: &mut [Sourced], problems: &mut Vec<Problem>) {
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut ids: HashMap<String, usize> = HashMap::new();
    for i in
        (0..descriptors.len()).filter(|&i| descriptors[i].descriptor.usable).collect::<Vec<_>>()
    {
        let challenge = &descriptors[i].descriptor.challenge;
        let (name, id) = (challenge.name.clone(), challenge.id.as_str().to_owned());
        let duplicate = names.get(&name).or_else(|| ids.get(&id)).copied();
        let Some(first) = duplicate else {
            names.insert(name, i);
            ids.insert(id, i);
            continue;
        };
        let what = match names.contains_key(&name) {
            true => format!("the name {}", quote(&name)),
            false => format!("the id {}", quote(&id)),
        };
        let at = descriptors[first].at();
        let message = format!("{what} is already taken by {at}; this challenge is left out");
        problems.push(descriptors[i].error(descriptors[i].descriptor.name_line, message));
        descriptors[i].descriptor.usable = false;
        descriptors[i].descriptor.wanted.clear();
    }
}

/// For each descriptor, the index and line of each of its requirements. A requirement that names no
/// challenge is an error.
fn resolve(descriptors: &mut [Sourced], problems: &mut Vec<Problem>) -> Vec<Vec<(usize, usize)>> {
    let mut known: HashMap<String, usize> = HashMap::new();
    for usable in [false, true] {
        let some =
            || descriptors.iter().enumerate().rev().filter(|(_, s)| s.descriptor.usable == usable);
        known.extend(some().map(|(i, s)| (s.descriptor.challenge.name.clone(), i)));
        known.extend(some().map(|(i, s)| (s.descriptor.challenge.id.as_str().to_owned(), i)));
    }
    let is_private: Vec<bool> = descriptors.iter().map(Sourced::is_private).collect();
    let mut targets = Vec::new();
    let mut compared = 0;
    for sourced in descriptors.iter_mut() {
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut missing = Vec::new();
        for wanted in &sourced.descriptor.wanted {
            let name = wanted.text.split_whitespace().collect::<Vec<_>>().join(" ");
            match known.get(&name) {
                Some(&target) if found.iter().any(|&(other, _)| other == target) => {}
                Some(&target) => found.push((target, wanted.line)),
                None => missing.push(wanted.clone()),
            }
        }
        for wanted in missing {
            compared += known.len();
            let named = known.iter().filter(|(_, other)| !is_private[**other]);
            let names = named.map(|(name, _)| name.as_str());
            let near = (compared <= COMPARED_MAX).then(|| nearest(names, &wanted.text)).flatten();
            let advice = match near {
                Some((near, true)) => format!("; is {} meant?", quote(near)),
                _ => String::new(),
            };
            let what = quote(&wanted.text);
            let message = format!("the requirement {what} names no challenge{advice}");
            problems.push(sourced.error(wanted.line, message));
            sourced.descriptor.usable = false;
        }
        targets.push(found);
    }
    targets
}

/// Refuses challenges whose requirements form a cycle: they could never be unlocked.
fn refuse_cycles(
    descriptors: &mut [Sourced],
    targets: &[Vec<(usize, usize)>],
    problems: &mut Vec<Problem>,
) {
    let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); descriptors.len()];
    for (i, targets) in targets.iter().enumerate() {
        targets.iter().for_each(|&(target, _)| needed_by[target].push(i));
    }
    let mut open_needs: Vec<usize> = targets.iter().map(Vec::len).collect();
    let mut free: Vec<usize> = (0..descriptors.len()).filter(|&i| open_needs[i] == 0).collect();
    while let Some(i) = free.pop() {
        for &next in &needed_by[i] {
            open_needs[next] -= 1;
            if open_needs[next] == 0 {
                free.push(next);
            }
        }
    }
    let stuck: HashSet<usize> = (0..descriptors.len()).filter(|&i| open_needs[i] > 0).collect();
    for i in 0..descriptors.len() {
        if !stuck.contains(&i) {
            continue;
        }
        let (path, line) = cycle_path(i, descriptors, targets, &stuck);
        let message = format!("these requirements lead in a circle, so it can never open: {path}");
        problems.push(descriptors[i].error(line, message));
        descriptors[i].descriptor.usable = false;
    }
}

/// The names along the requirements from `start` until one repeats, and the line of the first.
fn cycle_path(
    start: usize,
    descriptors: &[Sourced],
    targets: &[Vec<(usize, usize)>],
    stuck: &HashSet<usize>,
) -> (String, usize) {
    const STEPS_MAX: usize = 8;
    let next = |i: usize| targets[i].iter().find(|(target, _)| stuck.contains(target)).copied();
    let name = |i: usize| descriptors[i].shown_name();
    let line = next(start).map_or(descriptors[start].descriptor.name_line, |(_, line)| line);
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

/// Refuses challenges that require a refused one: they could never be unlocked.
fn refuse_dependents(
    descriptors: &mut [Sourced],
    targets: &[Vec<(usize, usize)>],
    problems: &mut Vec<Problem>,
) {
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..descriptors.len() {
            let lost =
                targets[i].iter().find(|(target, _)| !descriptors[*target].descriptor.usable);
            let Some(&(target, line)) = lost.filter(|_| descriptors[i].descriptor.usable) else {
                continue;
            };
            let name = descriptors[target].shown_name();
            let message = format!("it requires {name}, which has an error and is left out");
            problems.push(descriptors[i].error(line, message));
            descriptors[i].descriptor.usable = false;
            changed = true;
        }
    }
}

/// Warns of challenges that require a hidden one: players do not see them either.
fn warn_of_hidden(
    descriptors: &[Sourced],
    targets: &[Vec<(usize, usize)>],
    problems: &mut Vec<Problem>,
) {
    let is_shown = |sourced: &Sourced| sourced.descriptor.usable && !sourced.descriptor.hidden;
    for (sourced, targets) in descriptors.iter().zip(targets).filter(|(it, _)| is_shown(it)) {
        for &(target, line) in targets {
            let target = &descriptors[target];
            let Descriptor { challenge, hidden: true, .. } = &target.descriptor else {
                continue;
            };
            if target.is_private() {
                continue;
            }
            let name = quote(&challenge.name);
            let message = format!(
                "it requires {name}, which is hidden: players never see it while {name} is hidden"
            );
            problems.push(sourced.problem(Severity::Warning, line, message));
        }
    }
}

fn ids(
    descriptors: &[Sourced],
    targets: &[Vec<(usize, usize)>],
) -> Vec<(usize, Vec<flagship_game::ChallengeId>)> {
    let id = |&(target, _): &(usize, usize)| descriptors[target].descriptor.challenge.id.clone();
    targets.iter().enumerate().map(|(i, targets)| (i, targets.iter().map(id).collect())).collect()
}

/// Warns of challenges that are released when the event has ended.
pub(crate) fn warn_of_late_releases(descriptors: &[Sourced], end_ms: Option<i64>) -> Vec<Problem> {
    let is_late = |sourced: &&Sourced| {
        let release = sourced.descriptor.release_at_ms;
        sourced.descriptor.usable
            && release.zip(end_ms).is_some_and(|(release, end)| release >= end)
    };
    let message = "it is released only when the event has ended";
    let late = descriptors.iter().filter(is_late);
    late.map(|it| it.problem(Severity::Warning, it.descriptor.name_line, message.into())).collect()
}

/// Warns of categories that differ in case alone, once for all challenges.
fn warn_of_category_spellings(descriptors: &[Sourced], problems: &mut Vec<Problem>) {
    let mut spellings: BTreeMap<String, BTreeMap<&str, &Sourced>> = BTreeMap::new();
    for sourced in descriptors.iter().filter(|sourced| sourced.descriptor.usable) {
        for category in &sourced.descriptor.challenge.categories {
            let all = spellings.entry(category.to_lowercase()).or_default();
            all.entry(category).or_insert(sourced);
        }
    }
    for all in spellings.values().filter(|all| all.len() > 1) {
        let names: Vec<String> =
            all.iter().map(|(name, at)| format!("{} in {}", quote(name), at.at())).collect();
        let message = format!(
            "these differ in case alone, and players see {} categories: {}",
            names.len(),
            names.join(", ")
        );
        if let Some(last) = all.values().max_by(|a, b| a.source.cmp(&b.source)) {
            problems.push(last.problem(Severity::Warning, last.descriptor.name_line, message));
        }
    }
}
