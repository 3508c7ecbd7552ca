//! The verdict of a rehearsal: go or no-go, with advice.

use std::fmt;

use super::script::{Figures, Script, Timed};
use crate::output::counted;

/// Rows of the report: the kind of latency, its label, the limit of its 99th percentile in
/// milliseconds (a delay that players hardly notice), and advice.
const ROWS: [(Timed, &str, f64, &str); 8] = [
    (Timed::Page, "page load", 2000.0, BANDWIDTH),
    (Timed::Board, "scoreboard on live channel", 2000.0, BANDWIDTH),
    (Timed::Challenges, "challenge list", 1000.0, NODE),
    (Timed::Right, "correct flag", 500.0, DISK),
    (Timed::Wrong, "incorrect flag", 500.0, NODE),
    (Timed::Hint, "hint", 500.0, DISK),
    (Timed::Live, "solve to live update", 1000.0, NODE),
    (Timed::Return, "reconnect", 10_000.0, BANDWIDTH),
];
const BANDWIDTH: &str = "a faster machine, or more bandwidth";
const DISK: &str = "a faster disk for the database, or a less busy machine";
const NODE: &str = "a faster machine, or a second node";

/// Maximum share of all processors that leaves enough in reserve.
const BUSY_SHARE: f64 = 0.7;
/// Duration of a disk sync, in milliseconds, above which the disk is reported as slow.
const SLOW_SYNC_MS: f64 = 20.0;

/// The resources that the server used, if it ran on this machine.
pub struct Machine {
    pub cpu_s: f64,
    pub elapsed_s: f64,
    /// Peak memory in MiB.
    pub memory_mib: f64,
    pub processors: usize,
    /// Median time of a small write with sync in the data folder, in milliseconds.
    pub sync_ms: f64,
}

/// The verdict: go if there are no problems.
pub struct Verdict {
    table: String,
    problems: Vec<String>,
    notes: Vec<String>,
}

impl Verdict {
    pub fn of(script: &Script, figures: &Figures, machine: Option<&Machine>) -> Self {
        let mut verdict =
            Self { table: table(script, figures), problems: Vec::new(), notes: Vec::new() };
        verdict.judge(script, figures);
        if let Some(machine) = machine {
            verdict.judge_machine(machine);
        }
        verdict
    }

    pub fn is_go(&self) -> bool {
        self.problems.is_empty()
    }

    fn judge(&mut self, script: &Script, figures: &Figures) {
        for (what, label, limit_ms, advice) in ROWS {
            let ms = figures.quantile_ms(what, 0.99);
            if ms > limit_ms {
                let problem =
                    format!("{label}: p99 is {ms:.0} ms, limit {limit_ms:.0} ms; try {advice}");
                self.problems.push(problem);
            }
        }
        for (what, count) in &figures.failures {
            self.problems.push(format!("{what}: {}", counted(count, "time", "times")));
        }
        match figures.lost {
            Some(0) => {}
            Some(lost) => {
                let solves = "acknowledged solves are missing";
                let lost = counted(lost, "acknowledged solve is missing", solves);
                self.problems.push(format!("{lost} from the scoreboard"));
            }
            None => self.notes.push(
                "lost solves could not be checked because the scoreboard is \
                    frozen"
                    .to_owned(),
            ),
        }
        if figures.busy > 0 {
            let busy = counted(figures.busy, "request was", "requests were");
            self.notes.push(format!("{busy} rejected because the server was busy"));
        }
        if figures.rate_limited > 0 {
            let limited = counted(figures.rate_limited, "submission was", "submissions were");
            self.notes.push(format!("{limited} rejected by the rate limits in [limits]"));
        }
        if script.players.is_empty() {
            let tokens = "no team played: pass the team tokens from `flagship team import \
                --tokens` with `--tokens FILE.csv`";
            self.problems.push(tokens.to_owned());
        } else if figures.acknowledged.is_empty() {
            self.notes.push(
                "no submission was correct: do these files match the \
                event?"
                    .to_owned(),
            );
        }
    }

    fn judge_machine(&mut self, machine: &Machine) {
        let Machine { cpu_s, elapsed_s, memory_mib, processors, sync_ms } = machine;
        let share = cpu_s / elapsed_s / *processors as f64;
        let percent = share * 100.0;
        self.notes.push(format!(
            "the server used {percent:.0}% of {processors} CPUs (shared with the simulated \
             players) and {memory_mib:.0} MiB; a disk sync takes {sync_ms:.1} ms"
        ));
        if share > BUSY_SHARE {
            let problem = format!("CPU {percent:.0}% busy: try a larger machine or a second node");
            self.problems.push(problem);
        }
        if *sync_ms > SLOW_SYNC_MS {
            self.notes.push("the disk is slow: try a local disk".to_owned());
        }
    }
}

fn table(script: &Script, figures: &Figures) -> String {
    let mut table = format!(
        "{}, {}, {}\n",
        counted(script.players.len(), "team", "teams"),
        counted(script.spectators, "spectator", "spectators"),
        counted(script.minutes, "minute", "minutes")
    );
    table +=
        &format!("{:<28}{:>9}{:>11}{:>11}{:>11}\n", "", "count", "p50, ms", "p99, ms", "max, ms");
    for (what, label, ..) in ROWS {
        let [half, most_of, most] = [0.5, 0.99, 1.0].map(|it| figures.quantile_ms(what, it));
        let count = figures.count(what);
        if what == Timed::Hint && count == 0 {
            // The event has no hints for points.
            continue;
        }
        table += &format!("{label:<28}{count:>9}{half:>11.1}{most_of:>11.1}{most:>11.1}\n");
    }
    let solves = counted(figures.acknowledged.len(), "solve", "solves");
    table += &format!("{solves} acknowledged");
    table + &figures.lost.map_or("\n".to_owned(), |lost| format!(", {lost} lost\n"))
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table)?;
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        for problem in &self.problems {
            writeln!(f, "problem: {problem}")?;
        }
        writeln!(f, "{}", if self.is_go() { "GO" } else { "NO-GO" })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::script::Player;
    use super::*;
    use crate::demo::Answers;

    fn script() -> Script {
        let player = Player { name: "Ants".to_owned(), token: String::new() };
        let url = String::new();
        let players = vec![player];
        let answers = Answers::new();
        Script { url, players, answers, spectators: 1, minutes: 1.0 }
    }

    #[test]
    fn each_failure_is_a_no_go() {
        let verdict = |figures: &Figures| Verdict::of(&script(), figures, None);
        let mut figures = Figures::default();
        figures.record(Timed::Right, Duration::from_millis(40));
        assert!(verdict(&figures).is_go());
        let slow = ROWS.map(|(what, ..)| {
            let mut slow = figures.clone();
            slow.record(what, Duration::from_secs(30));
            slow
        });
        let mut failed = figures.clone();
        failed.record_failure("a page: 500".to_owned());
        let mut lost = figures.clone();
        lost.lost = Some(1);
        for bad in slow.iter().chain([&failed, &lost]) {
            let verdict = verdict(bad);
            assert!(!verdict.is_go() && verdict.problems.len() == 1, "{verdict}");
            assert!(verdict.to_string().ends_with("NO-GO\n"));
        }
    }

    #[test]
    fn a_rehearsal_that_no_team_played_is_a_no_go() {
        let script = Script { players: Vec::new(), ..script() };
        let verdict = Verdict::of(&script, &Figures::default(), None);
        assert!(!verdict.is_go(), "{verdict}");
        let said = verdict.to_string();
        assert!(said.starts_with("0 teams, 1 spectator, 1 minute\n"), "{said}");
        assert!(said.contains("problem: no team played: pass the team tokens"), "{said}");
    }

    #[test]
    fn a_count_of_one_is_in_the_singular() {
        let mut figures = Figures::default();
        figures.record_failure("a page: 500".to_owned());
        figures.acknowledged.push(("Ants".to_owned(), "one".to_owned()));
        (figures.busy, figures.rate_limited, figures.lost) = (1, 1, Some(1));
        let said = Verdict::of(&script(), &figures, None).to_string();
        for line in [
            "1 team, 1 spectator, 1 minute\n",
            "\n1 solve acknowledged, 1 lost\n",
            "note: 1 request was rejected because the server was busy\n",
            "note: 1 submission was rejected by the rate limits in [limits]\n",
            "problem: 1 acknowledged solve is missing from the scoreboard\n",
            "problem: a page: 500: 1 time\n",
        ] {
            assert!(said.contains(line), "{line}: {said}");
        }
    }

    #[test]
    fn a_machine_without_a_reserve_is_a_no_go() {
        let machine = |cpu_s| Machine {
            cpu_s,
            elapsed_s: 10.0,
            memory_mib: 50.0,
            processors: 2,
            sync_ms: 1.0,
        };
        let verdict =
            |cpu_s| Verdict::of(&script(), &Figures::default(), Some(&machine(cpu_s))).is_go();
        assert!(verdict(13.0) && !verdict(15.0));
    }
}
