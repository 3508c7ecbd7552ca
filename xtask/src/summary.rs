//! Recognizes the lines of test runners that `cargo xtask test` repeats at its end: summaries and
//! the names of failed tests.

/// nextest: `Summary [  12.3s] 240 tests run: 240 passed, 0 skipped`.
pub fn nextest(line: &str) -> bool {
    line.trim_start().starts_with("Summary [") || failed_test(line)
}

/// Name of a failed test: `FAIL [   0.0s] …` of nextest, `FAIL  …` of vitest, `1) …` of Playwright.
fn failed_test(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.split_once(") ").map(|(number, _)| number.parse::<u32>());
    line.starts_with("FAIL [") || line.starts_with("FAIL  ") || matches!(number, Some(Ok(_)))
}

/// Line about a check that could not run.
pub fn not_checked(line: &str) -> bool {
    line.starts_with("NOT CHECKED")
}

/// vitest: `Test Files  9 passed (9)` and `Tests  120 passed (120)`, and checks that did not run.
pub fn vitest(line: &str) -> bool {
    if not_checked(line) || failed_test(line) {
        return true;
    }
    let line = line.trim_start();
    let subject = line.starts_with("Test Files  ") || line.starts_with("Tests  ");
    subject && line.ends_with(')')
}

/// Playwright: `5 passed (12.3s)`, also with failed, flaky, skipped, did not run.
pub fn playwright(line: &str) -> bool {
    if failed_test(line) {
        return true;
    }
    let Some((count, rest)) = line.trim_start().split_once(' ') else { return false };
    let verdicts = ["passed", "failed", "flaky", "skipped", "did not run", "interrupted"];
    count.parse::<u32>().is_ok() && verdicts.iter().any(|verdict| rest.starts_with(verdict))
}

/// The example's solutions: `N passed, N failed`.
pub fn counted(line: &str) -> bool {
    line.ends_with(" failed") && line.contains(" passed, ")
}

/// Python's unittest: `Ran 7 tests in 3.2s`.
pub fn unittest(line: &str) -> bool {
    line.starts_with("Ran ") && line.contains(" test")
}

/// No summary: the exit code is enough.
pub fn nothing(_line: &str) -> bool {
    false
}

/// The number of passed and failed tests in the summary lines of all runners.
pub fn total<'a>(lines: impl Iterator<Item = &'a str>) -> (u64, u64) {
    let counts = lines.filter(|line| !line.starts_with("Test Files") && !failed_test(line));
    counts.fold((0, 0), |(passed, failed), line| {
        (passed + count_before(line, "passed"), failed + count_before(line, "failed"))
    })
}

fn count_before(line: &str, verdict: &str) -> u64 {
    let words: Vec<&str> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let found = words.windows(2).find(|pair| pair[1] == verdict);
    found.and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_runner_is_known_by_its_closing_line() {
        assert!(nextest("     Summary [   1.071s] 3 tests run: 3 passed, 0 skipped"));
        assert!(vitest(" Test Files  1 passed (1)"));
        assert!(vitest("      Tests  1 failed | 2 passed (3)"));
        assert!(vitest("NOT CHECKED: rankings of real events on the site"));
        assert!(playwright("  2 passed (3.1s)"));
        assert!(playwright("  1 skipped"));
        assert!(unittest("Ran 7 tests in 3.204s"));
        assert!(counted("20 passed, 0 failed"));
    }

    #[test]
    fn failed_tests_are_named_but_not_counted() {
        let vitest_name = " FAIL  src/site.test.tsx > login > after 2 failed logins it waits";
        let nextest_name = "        FAIL [   0.010s] (7/9) flagship-game ranking::ties";
        let playwright_name = "  1) tests/live.spec.ts:3:1 › a visitor sees the row move ─────";
        assert!(vitest(vitest_name));
        assert!(nextest(nextest_name));
        assert!(playwright(playwright_name));
        assert_eq!(total([vitest_name, nextest_name, playwright_name].into_iter()), (0, 0));
    }

    #[test]
    fn the_total_adds_up_every_runner() {
        let lines = [
            "Summary [   1.071s] 30 tests run: 28 passed (1 slow), 2 failed, 0 skipped",
            "test result: ok. 4 passed; 0 failed; 0 ignored; finished in 0.01s",
            "Test Files  1 passed (1)",
            "Tests  1 failed | 200 passed (201)",
            "3 passed (3.1s)",
            "20 passed, 0 failed",
        ];
        assert_eq!(total(lines.into_iter()), (255, 3));
    }

    #[test]
    fn other_lines_are_left_out() {
        assert!(!nextest("        PASS [   0.010s] flagship-game ranking"));
        assert!(!vitest(" ✓ src/domain/points.test.ts (4 tests) 5ms"));
        assert!(!playwright("  ✓  1 live.spec.ts:3:1 › a visitor sees the row move (2.1s)"));
        assert!(!playwright("Running 2 tests using 1 worker"));
    }
}
