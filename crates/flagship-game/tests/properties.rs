//! Properties of every valid journal: an updated board equals a rebuilt one, a snapshot plus later
//! messages equals a fresh snapshot, and no view shows solves that the freeze hides.

use std::collections::BTreeSet;

use flagship_control::{VARIABLE, control};
use flagship_game::board::Mark;
use flagship_game::ceremony::{self, CeremonyTeam};
use flagship_game::contest::Contest;
use flagship_game::contest::state_snapshot::StateSnapshot;
use flagship_game::facts::news::{self, Change, News};
use flagship_game::facts::{self, Entry, Fact};
use flagship_game::purchase::purchase;
use flagship_game::ranking::{self, Standing};
use flagship_game::view::{self, Viewer};
use flagship_game::wire::{self, Snapshot};
use flagship_game::{Board, Challenge, ChallengeId};
use flagship_game::{Phase, TeamId};
use proptest::prelude::*;
use serde_json::Value;

mod client;
mod play;
mod refold;

use play::{Mood, actions, play, viewers};

fn config(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    // Failures caused by a control are neither shrunk nor saved.
    match std::env::var_os(VARIABLE) {
        Some(_) => ProptestConfig { max_shrink_iters: 0, failure_persistence: None, ..config },
        None => config,
    }
}

fn journal(actions: &[play::Action]) -> Vec<Entry> {
    play(actions, Mood::Wild, |_, _| ())
}

fn folded(journal: &[Entry]) -> Contest {
    let mut contest = Contest::default();
    for entry in journal {
        contest.fold(entry).expect("a valid journal");
    }
    contest
}

fn snapshot_text(contest: &Contest, board: &Board) -> String {
    let snapshot = Snapshot { board, seq: contest.public_seq(), generation: "one" };
    serde_json::to_string(&snapshot).expect("a snapshot is JSON")
}

fn snapshot(contest: &Contest, viewer: Viewer) -> Value {
    let text = snapshot_text(contest, &view::board(contest, viewer));
    serde_json::from_str(&text).expect("a snapshot is JSON")
}

/// The message to a viewer.
#[derive(Debug, PartialEq)]
enum Sent {
    Nothing,
    Message(Value),
    /// The client must request a new snapshot; the number is that of a public `changed` message.
    Fresh(Option<u64>),
}

/// The message of a viewer who sees a public change differently.
fn own_message(contest: &Contest, change: &Change, viewer: Viewer) -> Option<Value> {
    let Change::Public { news, .. } = change else { return None };
    let (team, message) = news.own_message(contest)?;
    let sees = [Viewer::Organizer, Viewer::Team(team)].contains(&viewer);
    sees.then(|| serde_json::to_value(message).expect("a message is JSON"))
}

/// The message that a viewer receives for a change: everyone receives a change with a number,
/// others only its team and the organizers.
fn sent(contest: &Contest, change: &Change, viewer: Viewer) -> Sent {
    let (seq, news) = match change {
        Change::Public { seq, news } => (Some(*seq), news),
        Change::Own { team, news }
            if [Viewer::Organizer, Viewer::Team(*team)].contains(&viewer) =>
        {
            (None, news)
        }
        Change::Own { .. } | Change::Unseen => return Sent::Nothing,
    };
    match news.message(contest, seq) {
        Some(message) => Sent::Message(serde_json::to_value(message).expect("a message is JSON")),
        None if *news == News::Snapshot => Sent::Fresh(seq),
        None => panic!("{news:?} has a message"),
    }
}

fn sight(board: &Board) -> refold::Sight {
    let id = |column: u32| board.tallies()[column as usize].challenge().id.clone();
    let columns = board.tallies().iter();
    let columns = columns.map(|t| (t.challenge().id.clone(), (t.nsolves(), t.first_ms())));
    let row = |row: &flagship_game::Row| refold::Row {
        name: row.name().to_owned(),
        points: row.points(),
        last_solve_ms: row.last_solve_ms(),
        solves: row.marks().iter().map(|m| (id(m.challenge), (m.position, m.at_ms))).collect(),
        divisions: row.divisions().iter().map(ToString::to_string).collect(),
    };
    refold::Sight { columns: columns.collect(), rows: board.rows().map(row).collect() }
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn an_updated_board_equals_a_rebuilt_board(actions in actions()) {
        let mut contest = Contest::default();
        let mut public = Board::default();
        let mut truth = Board::default();
        for entry in journal(&actions) {
            let change = contest.fold(&entry).expect("a valid journal");
            if !news::advance(&mut public, &contest, [&change]) {
                public = view::board(&contest, Viewer::Public);
            }
            prop_assert_eq!(&public, &view::board(&contest, Viewer::Public), "{:?}", entry);
            if !news::advance_organizers(&mut truth, &contest, [&change]) {
                truth = view::board(&contest, Viewer::Organizer);
            }
            prop_assert_eq!(&truth, &view::board(&contest, Viewer::Organizer), "{:?}", entry);
            for team in (0..play::TEAMS).map(TeamId) {
                let own = view::board(&contest, Viewer::Team(team));
                let sees_more = view::has_own_view(&contest, team);
                prop_assert!(sees_more || own == public, "{:?} {:?}", team, entry);
            }
        }
    }

    #[test]
    fn a_row_found_by_name_equals_the_row_on_the_viewers_board(actions in actions()) {
        let mut contest = Contest::default();
        for entry in journal(&actions) {
            contest.fold(&entry).expect("a valid journal");
            let public = view::board(&contest, Viewer::Public);
            let teams = contest.teams().filter(|team| !team.hidden).map(|team| Some(team.id));
            for viewer in teams.chain([None]) {
                let own = viewer.map(|id| view::board(&contest, Viewer::Team(id)));
                let board = own.as_ref().unwrap_or(&public);
                for team in contest.teams() {
                    let ranked = view::ranked_row(&public, &contest, viewer, &team.name);
                    let ranked = ranked.map(|it| {
                        let solves = it.solves.iter();
                        let solves = solves.map(|(c, mark, points)| (c.id.clone(), *mark, *points));
                        (it.rank, it.points, it.award, solves.collect::<Vec<_>>())
                    });
                    let expected = board.row(&team.name).map(|(rank, row)| {
                        let mut marks = row.marks().to_vec();
                        marks.sort_by_key(|mark| mark.at_ms);
                        let id = |mark: &Mark| {
                            board.tallies()[mark.challenge as usize].challenge().id.clone()
                        };
                        let solves = marks.iter().map(|it| (id(it), *it, board.points_of(it)));
                        (rank, row.points(), row.award(), solves.collect::<Vec<_>>())
                    });
                    prop_assert_eq!(ranked, expected, "{:?} {:?}", viewer, entry);
                }
            }
        }
    }

    #[test]
    fn a_snapshot_plus_later_messages_equals_a_fresh_snapshot(actions in actions()) {
        let mut contest = Contest::default();
        let mut held: Vec<_> = viewers().map(|v| (v, snapshot(&contest, v))).collect();
        for entry in journal(&actions) {
            let change = contest.fold(&entry).expect("a valid journal");
            for (viewer, state) in &mut held {
                let fresh = snapshot(&contest, *viewer);
                match sent(&contest, &change, *viewer) {
                    Sent::Nothing => {}
                    Sent::Message(message) => {
                        client::receive(state, &message);
                        if let Some(own) = own_message(&contest, &change, *viewer) {
                            client::receive(state, &own);
                        }
                    }
                    Sent::Fresh(_) => *state = fresh.clone(),
                }
                prop_assert_eq!(&*state, &fresh, "{:?} after {:?}", viewer, entry);
            }
        }
        for (viewer, state) in held {
            let board = view::board(&contest, viewer);
            let ranks = client::ranks(&state);
            for (row, rank) in board.rows().zip(ranks.as_array().expect("ranks")) {
                prop_assert_eq!(rank["points"].as_i64(), Some(row.points()), "{:?}", viewer);
            }
        }
    }

    #[test]
    fn the_public_snapshot_plus_own_solves_equals_a_teams_snapshot(actions in actions()) {
        let forgets = control(
            "the_public_snapshot_plus_own_solves_equals_a_teams_snapshot",
            "own solves are missing",
        );
        let mut contest = Contest::default();
        for entry in journal(&actions) {
            contest.fold(&entry).expect("a valid journal");
            for team in contest.teams().filter(|team| !team.hidden && !team.banned) {
                let mut state = snapshot(&contest, Viewer::Public);
                for change in wire::own_changes(&contest, team.id).iter().filter(|_| !forgets) {
                    let change = serde_json::to_value(change).expect("a message is JSON");
                    client::receive(&mut state, &change);
                }
                let own = snapshot(&contest, Viewer::Team(team.id));
                prop_assert!(state == own, "own solves are missing: {} {}", state, own);
            }
        }
    }

    #[test]
    fn a_teams_own_points_equal_those_of_its_own_board(actions in actions()) {
        let mut contest = Contest::default();
        for entry in journal(&actions) {
            contest.fold(&entry).expect("a valid journal");
            for team in contest.teams() {
                let board = view::board(&contest, Viewer::Team(team.id));
                let on_board = board.row(&team.name).map_or(0, |(_, row)| row.points());
                prop_assert_eq!(view::own_points(&contest, team.id), on_board, "{:?}", entry);
            }
        }
    }

    #[test]
    fn a_purchase_pays_its_price_once_and_removing_the_hint_returns_it(actions in actions()) {
        let mut contest = folded(&journal(&actions));
        let at_ms = contest.at_ms();
        let ids: Vec<_> = view::board(&contest, Viewer::Organizer).tallies().iter()
            .map(|tally| tally.challenge().clone()).collect();
        let teams: Vec<TeamId> = contest.teams().map(|team| team.id).collect();
        for (challenge, team) in ids.iter().flat_map(|id| teams.iter().map(move |it| (id, *it))) {
            for hint in &challenge.hints {
                let before = view::own_points(&contest, team);
                let bought = purchase(&contest, team, &challenge.id, &hint.id, None, at_ms);
                let Ok(bought) = bought.map(|it| (it.cost, it.is_new)) else { continue };
                let (cost, true) = bought else { continue };
                prop_assert!((0..=hint.cost).contains(&cost) && before >= cost.min(1) * cost);
                let (id, hint) = (challenge.id.clone(), hint.id.clone());
                let fact = Fact::from(facts::HintTaken { team, challenge: id, hint, cost });
                let entry = |contest: &Contest, fact| Entry { seq: contest.seq() + 1, at_ms, fact };
                contest.fold(&entry(&contest, fact.clone())).expect("it is new");
                prop_assert_eq!(view::own_points(&contest, team), before - cost);
                prop_assert!(contest.clone().fold(&entry(&contest, fact)).is_err(), "once");
                let mut without = contest.clone();
                let challenge = Challenge { hints: vec![], ..challenge.clone() };
                let removed = Fact::from(facts::Challenge { challenge: challenge.clone() });
                without.fold(&entry(&contest, removed)).expect("a challenge can change");
                let paid: i64 = contest.hint_takers(&challenge.id)
                    .filter(|(it, _, _)| it.id == team).map(|(_, _, cost)| cost).sum();
                let now = view::own_points(&without, team);
                prop_assert_eq!(now, view::own_points(&contest, team) + paid);
            }
        }
    }

    #[test]
    fn a_saved_fold_restores_an_equal_fold(actions in actions()) {
        let journal = journal(&actions);
        for length in (0..journal.len()).step_by(5).chain([journal.len()]) {
            let contest = folded(&journal[..length]);
            let text = serde_json::to_string(&StateSnapshot::of(&contest)).expect("it serializes");
            let kept: StateSnapshot = serde_json::from_str(&text).expect("it parses");
            let mut again = kept.into_contest().expect("the saved fold is valid");
            prop_assert_eq!(&again, &contest);
            for entry in &journal[length..] {
                again.fold(entry).expect("a valid journal");
            }
            prop_assert_eq!(&again, &folded(&journal), "from {}", length);
        }
    }

    #[test]
    fn a_naive_refold_gives_the_same_boards(actions in actions()) {
        let journal = journal(&actions);
        for length in (0..journal.len()).step_by(6).chain([journal.len()]) {
            let contest = folded(&journal[..length]);
            let facts = refold::Facts::read(&journal[..length]);
            for viewer in viewers() {
                let board = view::board(&contest, viewer);
                let naive = facts.sight(viewer);
                prop_assert_eq!(sight(&board), naive, "{:?} after {}", viewer, length);
            }
        }
    }

    #[test]
    fn counting_a_withdrawn_solve_restores_every_board(actions in actions()) {
        let contest = folded(&journal(&actions));
        let ids: Vec<_> = view::board(&contest, Viewer::Organizer).tallies().iter()
            .map(|tally| tally.challenge().id.clone()).collect();
        for (team, id) in contest.teams().flat_map(|team| ids.iter().map(|id| (team.id, id))) {
            let Some(solve) = contest.solve(team, id) else { continue };
            // Among solves after the same entry, the last credited one comes last.
            let is_last = contest.teams().filter_map(|other| contest.solve(other.id, id))
                .all(|other| other.after != solve.after || other.seq <= solve.seq);
            if !is_last {
                continue;
            }
            let challenge = id.clone();
            let withdrawn =
                Fact::from(facts::SolveWithdrawn { team, challenge: challenge.clone() });
            let (at_ms, after) = (solve.at_ms, solve.after);
            let counted = Fact::from(facts::SolveCounted { team, challenge, at_ms, after });
            let mut again = contest.clone();
            for fact in [withdrawn, counted] {
                let entry = Entry { seq: again.seq() + 1, at_ms: again.at_ms(), fact };
                again.fold(&entry).expect("the solve is there, then it is not");
            }
            for viewer in viewers() {
                let boards = [&contest, &again].map(|world| view::board(world, viewer));
                prop_assert!(boards[0] == boards[1], "{:?} of {} moved for {:?}", team, id, viewer);
            }
            let own = [&contest, &again].map(|it| format!("{:?}", wire::own_changes(it, team)));
            prop_assert!(own[0].len() == own[1].len());
        }
    }

    #[test]
    fn positions_have_no_gaps(actions in actions()) {
        let contest = folded(&journal(&actions));
        for viewer in viewers() {
            let board = view::board(&contest, viewer);
            for (column, tally) in (0..).zip(board.tallies()) {
                let marks = board.rows().flat_map(|row| row.marks());
                let places = marks.filter(|mark| mark.challenge == column).map(|m| m.position);
                let places: BTreeSet<_> = places.collect();
                prop_assert_eq!(places, (1..=tally.nsolves()).collect::<BTreeSet<_>>());
            }
        }
    }

    #[test]
    fn a_teams_challenges_and_its_snapshot_agree(actions in actions()) {
        let journal = journal(&actions);
        for length in [journal.len() / 2, journal.len()] {
            let contest = folded(&journal[..length]);
            let facts = refold::Facts::read(&journal[..length]);
            let public = view::board(&contest, Viewer::Public);
            for team in contest.teams() {
                let cards = view::cards(&public, &contest, team.id);
                let board = view::board(&contest, Viewer::Team(team.id));
                let of_cards = cards.iter().map(|c| (&c.challenge.id, c.nsolves, c.first_ms));
                let of_board = board.tallies().iter();
                let of_board = of_board.map(|t| (&t.challenge().id, t.nsolves(), t.first_ms()));
                prop_assert_eq!(of_cards.collect::<Vec<_>>(), of_board.collect::<Vec<_>>());
                for card in cards {
                    let id = &card.challenge.id;
                    prop_assert_eq!(card.is_locked, facts.is_locked(team.id, id), "{}", id);
                    let opens = view::open_challenge(&contest, team.id, id).is_some();
                    prop_assert_eq!(opens, !card.is_locked && !team.banned, "{}", id);
                }
            }
        }
    }

    #[test]
    fn an_invalid_entry_changes_nothing(actions in actions()) {
        play(&actions, Mood::Wild, |contest, entry| {
            let (seq, at_ms) = (entry.seq, entry.at_ms);
            let wrong = [(seq - 1, at_ms), (seq + 1, at_ms), (seq, contest.at_ms() - 1)];
            let wrong = wrong.map(|(seq, at_ms)| Entry { seq, at_ms, ..entry.clone() });
            for (entry, is_wrong) in wrong.iter().map(|e| (e, true)).chain([(entry, false)]) {
                let mut tried = contest.clone();
                let refused = tried.fold(entry).is_err();
                assert!(refused || !is_wrong, "{entry:?} follows");
                assert!(!refused || tried == *contest, "{entry:?} changed the contest");
                assert!(refused || tried.seq() == contest.seq() + 1);
            }
        });
    }

    #[test]
    fn a_journal_parsed_from_its_text_gives_the_same_contest(actions in actions()) {
        let journal = journal(&actions);
        let read_back = |entry: &Entry| {
            let text = serde_json::to_string(&entry.fact).expect("a fact is JSON");
            let fact = serde_json::from_str(&text).expect("a fact");
            Entry { fact, ..entry.clone() }
        };
        let again: Vec<_> = journal.iter().map(read_back).collect();
        prop_assert_eq!(&again, &journal);
        prop_assert_eq!(folded(&again), folded(&journal));
    }
}

/// True if the entry is a solve of another team that is hidden by the freeze, or withdraws a solve
/// that does not exist in this world.
fn is_hidden_from(contest: &Contest, viewer: TeamId, entry: &Entry) -> bool {
    let freeze_ms = contest.event().and_then(|event| event.freeze_ms);
    let in_freeze = |at_ms| freeze_ms.is_some_and(|freeze| at_ms >= freeze);
    let is_hidden = |at_ms| in_freeze(at_ms) && !contest.reached(Phase::Reveal);
    match &entry.fact {
        Fact::Solve(facts::Solve { team, .. }) => is_hidden(entry.at_ms) && *team != viewer,
        Fact::HintTaken(facts::HintTaken { team, .. }) => is_hidden(entry.at_ms) && *team != viewer,
        // Other teams never see these, also before the freeze.
        Fact::FlagFound(facts::FlagFound { team, .. })
        | Fact::AttemptUsed(facts::AttemptUsed { team, .. })
        | Fact::Practiced(facts::Practiced { team, .. })
        | Fact::AttemptsSet(facts::AttemptsSet { team, .. }) => *team != viewer,
        Fact::SolveCounted(facts::SolveCounted { team, at_ms, .. }) => {
            is_hidden(*at_ms) && *team != viewer
        }
        _ => false,
    }
}

/// Everything that a viewer can request, as bytes.
fn answers(contest: &Contest, viewer: TeamId) -> Vec<String> {
    let public = view::board(contest, Viewer::Public);
    let own = view::board(contest, Viewer::Team(viewer));
    let ids: Vec<ChallengeId> = public.tallies().iter().map(|t| t.challenge().id.clone()).collect();
    let open = ids.iter().map(|id| view::open_challenge(contest, viewer, id).is_some());
    let at_ms = contest.at_ms();
    let hints = ids
        .iter()
        .flat_map(|id| ["1", "2"].map(|hint| purchase(contest, viewer, id, hint, Some(40), at_ms)));
    vec![
        format!("{:?}", hints.collect::<Vec<_>>()),
        snapshot_text(contest, &public),
        snapshot_text(contest, &own),
        format!("{:?}", view::cards(&public, contest, viewer)),
        format!("{:?}", open.collect::<Vec<_>>()),
        format!("{:?} {:?}", contest.public_seq(), contest.status(contest.at_ms())),
        format!("{}", view::has_own_view(contest, viewer)),
        format!("{:?}", wire::own_changes(contest, viewer)),
        serde_json::to_string(&wire::Notices(contest)).expect("notices are JSON"),
        format!("{:?}", ids.iter().map(|id| view::public_status(contest, id)).collect::<Vec<_>>()),
        format!("{:?} {:?}", contest.is_paused(), contest.team_formerly("Ants").map(|it| it.id)),
    ]
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn later_solves_of_others_do_not_change_a_view(
        actions in actions(),
        viewer in (0..play::TEAMS).prop_map(TeamId),
        skips in any::<u64>(),
    ) {
        // With the control, a world also lacks solves from before the freeze.
        let words = "worlds differ";
        let leaks = control("later_solves_of_others_do_not_change_a_view", words);
        let mut one = Contest::default();
        let mut other = Contest::default();
        let mut sent_one = Vec::new();
        let mut sent_other = Vec::new();
        let all = [Viewer::Public, Viewer::Team(viewer)];
        let record = |messages: &mut Vec<Sent>, contest: &Contest, change: &Change| {
            let news = all.map(|viewer| sent(contest, change, viewer));
            messages.extend(news.into_iter().filter(|news| *news != Sent::Nothing));
        };
        // The numbers of the entries of one world in the other: of the entry itself, or of the
        // last one before it.
        let mut numbers = vec![0];
        for (entry, i) in play(&actions, Mood::Frozen, |_, _| ()).iter().zip(0_u64..) {
            let is_skipped = is_hidden_from(&one, viewer, entry) && skips >> (i % 64) & 1 == 1;
            let is_skipped = is_skipped || leaks && matches!(entry.fact, Fact::Solve(_));
            let change = one.fold(entry).expect("a valid journal");
            record(&mut sent_one, &one, &change);
            let mut entry = Entry { seq: other.seq() + 1, ..entry.clone() };
            if let Fact::SolveCounted(facts::SolveCounted { after, .. }) = &mut entry.fact {
                *after = numbers[*after as usize];
            }
            if !is_skipped {
                match other.fold(&entry) {
                    Ok(change) => record(&mut sent_other, &other, &change),
                    Err(error) => {
                        let takes_back =
                            matches!(entry.fact, Fact::SolveWithdrawn(_) | Fact::AttemptsSet(_));
                        prop_assert!(takes_back, "the worlds differ: {} {:?}", error, entry);
                    }
                }
            }
            numbers.push(other.seq());
            let seen = [&one, &other].map(|world| answers(world, viewer));
            prop_assert_eq!(&seen[0], &seen[1], "the worlds differ after {:?}", entry);
            prop_assert_eq!(&sent_one, &sent_other, "the worlds differ after {:?}", entry);
        }
    }
}

/// Teams of a ceremony with their points, in the order that its steps lead to: from the last place
/// up, the team at the place counts its hidden solves until none is left.
fn resolved<'a>(teams: &[CeremonyTeam<'a>], skips_one: bool) -> Vec<(&'a str, i64)> {
    struct Live<'a> {
        name: &'a str,
        points: i64,
        last_solve_ms: i64,
        left: Vec<(i64, i64)>,
    }
    fn compare(a: &Live<'_>, b: &Live<'_>) -> std::cmp::Ordering {
        fn standing<'a>(it: &'a Live<'_>) -> Standing<'a> {
            Standing { points: it.points, last_solve_ms: it.last_solve_ms, name: it.name }
        }
        ranking::compare(&standing(a), &standing(b))
    }
    let live = teams.iter().map(|team| {
        let mut left: Vec<_> = team.solves.iter().map(|it| (it.points, it.at_ms)).collect();
        left.reverse();
        let (points, last_solve_ms) = (team.start_points, team.start_last_ms);
        Live { name: team.row.name(), points, last_solve_ms, left }
    });
    let mut live: Vec<Live<'_>> = live.collect();
    let mut settled = Vec::new();
    while !live.is_empty() {
        live.sort_by(compare);
        let last = live.last_mut().expect("there is one");
        match last.left.pop() {
            Some((points, at_ms)) if !skips_one || settled.is_empty() => {
                last.points += points;
                last.last_solve_ms = last.last_solve_ms.max(at_ms);
            }
            _ => settled.extend(live.pop().map(|it| (it.name, it.points))),
        }
    }
    settled.reverse();
    settled
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn the_steps_of_the_ceremony_lead_to_the_final_board(
        actions in actions(),
        is_wild in any::<bool>(),
        students in any::<u8>(),
    ) {
        let skips_one = control("the_steps_of_the_ceremony_lead_to_the_final_board", "the ranking");
        let mood = if is_wild { Mood::Wild } else { Mood::Frozen };
        let contest = folded(&play(&actions, mood, |_, _| ()));
        let frozen = view::board(&contest, Viewer::Public);
        let last = view::board(&contest, Viewer::Organizer);
        let mut teams = ceremony::ceremony(&frozen, &last);
        for is_students in [false, true] {
            let counts = |name: &str| {
                let team = contest.team_named(name).expect("a team");
                !is_students || students >> team.id.0 & 1 == 1
            };
            teams.retain(|team| counts(team.row.name()));
            let rows = last.rows().filter(|row| counts(row.name()));
            let expected: Vec<_> = rows.map(|row| (row.name(), row.points())).collect();
            prop_assert_eq!(resolved(&teams, skips_one), expected, "the ranking");
        }
        prop_assert!(teams.iter().all(|team| team.solves.iter().all(|it| it.points > 0)));
    }
}
