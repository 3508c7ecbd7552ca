//! Checks across all challenges: duplicate names and IDs, unknown or circular requirements,
//! categories that differ only in case.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use flagship_game::Secret;

use crate::challenge_yml::Descriptor;
use crate::problem::{Problem, Severity, nearest, place, quote};

/// Maximum number of name comparisons for suggestions on unknown requirements.
const COMPARED_MAX: usize = 10_000;

/// A descriptor and its file.
#[derive(Debug)]
pub(crate) struct LoadedDescriptor {
    pub(crate) source: PathBuf,
    /// The content of the file.
    pub(crate) text: Secret,
    pub(crate) descriptor: Descriptor,
}

impl LoadedDescriptor {
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

    /// True if messages must not mention this challenge.
    fn is_private(&self) -> bool {
        self.source.as_os_str().is_empty()
    }

    /// Name for messages.
    fn shown_name(&self) -> String {
        match self.is_private() {
            true => "another challenge".to_owned(),
            false => quote(&self.descriptor.challenge.name),
        }
    }
}

/// Marks challenges that must not be loaded as not usable, and resolves the requirements of the
/// others.
pub(crate) fn join(descriptors: &mut [LoadedDescriptor]) -> Vec<Problem> {
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

/// Rejects a challenge if an earlier one has the same name or ID.
fn refuse_duplicates(descriptors: &mut [LoadedDescriptor], problems: &mut Vec<Problem>) {
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
            false => format!("the ID {}", quote(&id)),
        };
        let at = descriptors[first].at();
        let message = format!("{what} is already used by {at}; this challenge is ignored");
        problems.push(descriptors[i].error(descriptors[i].descriptor.name_line, message));
        descriptors[i].descriptor.usable = false;
        descriptors[i].descriptor.wanted.clear();
    }
}

/// Resolves the requirements of each descriptor to an index and a line. An unknown challenge is an
/// error.
fn resolve(
    descriptors: &mut [LoadedDescriptor],
    problems: &mut Vec<Problem>,
) -> Vec<Vec<(usize, usize)>> {
    let mut known: HashMap<String, usize> = HashMap::new();
    for usable in [false, true] {
        let some =
            || descriptors.iter().enumerate().rev().filter(|(_, s)| s.descriptor.usable == usable);
        known.extend(some().map(|(i, s)| (s.descriptor.challenge.name.clone(), i)));
        known.extend(some().map(|(i, s)| (s.descriptor.challenge.id.as_str().to_owned(), i)));
    }
    let is_private: Vec<bool> = descriptors.iter().map(LoadedDescriptor::is_private).collect();
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
                Some((near, true)) => format!("; did you mean {}?", quote(near)),
                _ => String::new(),
            };
            let what = quote(&wanted.text);
            let message = format!("unknown challenge {what} in requirements{advice}");
            problems.push(sourced.error(wanted.line, message));
            sourced.descriptor.usable = false;
        }
        targets.push(found);
    }
    targets
}

/// Rejects challenges whose requirements form a cycle, because they could never be unlocked.
fn refuse_cycles(
    descriptors: &mut [LoadedDescriptor],
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
        let message = format!(
            "circular requirements, so this challenge can never be unlocked: \
            {path}"
        );
        problems.push(descriptors[i].error(line, message));
        descriptors[i].descriptor.usable = false;
    }
}

/// Names along the requirements from `start` until one repeats, and the line of the first.
fn cycle_path(
    start: usize,
    descriptors: &[LoadedDescriptor],
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
        path = format!("{path} requires {}", name(target));
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

/// Rejects challenges that require a rejected one, because they could never be unlocked.
fn refuse_dependents(
    descriptors: &mut [LoadedDescriptor],
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
            let message = format!(
                "this challenge requires {name}, which is ignored because of \
                                   errors"
            );
            problems.push(descriptors[i].error(line, message));
            descriptors[i].descriptor.usable = false;
            changed = true;
        }
    }
}

/// Warns about challenges that require a hidden one, because players cannot see them either.
fn warn_of_hidden(
    descriptors: &[LoadedDescriptor],
    targets: &[Vec<(usize, usize)>],
    problems: &mut Vec<Problem>,
) {
    let is_shown =
        |sourced: &LoadedDescriptor| sourced.descriptor.usable && !sourced.descriptor.hidden;
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
                "this challenge requires {name}, which is hidden, so players will not see this \
                 one either"
            );
            problems.push(sourced.problem(Severity::Warning, line, message));
        }
    }
}

fn ids(
    descriptors: &[LoadedDescriptor],
    targets: &[Vec<(usize, usize)>],
) -> Vec<(usize, Vec<flagship_game::ChallengeId>)> {
    let id = |&(target, _): &(usize, usize)| descriptors[target].descriptor.challenge.id.clone();
    targets.iter().enumerate().map(|(i, targets)| (i, targets.iter().map(id).collect())).collect()
}

/// Warns about challenges that are released after the event ends.
pub(crate) fn warn_of_late_releases(
    descriptors: &[LoadedDescriptor],
    end_ms: Option<i64>,
) -> Vec<Problem> {
    let is_late = |sourced: &&LoadedDescriptor| {
        let release = sourced.descriptor.release_at_ms;
        sourced.descriptor.usable
            && release.zip(end_ms).is_some_and(|(release, end)| release >= end)
    };
    let message = "this challenge is released after the event ends";
    let late = descriptors.iter().filter(is_late);
    late.map(|it| it.problem(Severity::Warning, it.descriptor.name_line, message.into())).collect()
}

/// Warns about categories that differ only in case, once for all challenges.
fn warn_of_category_spellings(descriptors: &[LoadedDescriptor], problems: &mut Vec<Problem>) {
    let mut spellings: BTreeMap<String, BTreeMap<&str, &LoadedDescriptor>> = BTreeMap::new();
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
            "these differ only in case and count as {} categories: {}",
            names.len(),
            names.join(", ")
        );
        if let Some(last) = all.values().max_by(|a, b| a.source.cmp(&b.source)) {
            problems.push(last.problem(Severity::Warning, last.descriptor.name_line, message));
        }
    }
}
