//! The sealed ranking, as the ceremony shows it.

use flagship_game::ceremony::{self, CeremonyTeam, HiddenSolve};
use flagship_game::{Contest, Division, Viewer, view};
use serde::Serialize;
use utoipa::ToSchema;

use super::results::Teams;

/// The sealed ranking. All points except `frozenPoints` are those of the final scoreboard.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ceremony {
    /// The event's name.
    pub name: String,
    /// Public divisions, in the order of `event.toml`.
    pub divisions: Vec<CeremonyDivision>,
    /// Teams in the order of the frozen scoreboard.
    pub teams: Vec<SealedTeam>,
}

/// A public division of the ceremony.
#[derive(Serialize, ToSchema)]
pub struct CeremonyDivision {
    /// The division's ID.
    pub id: String,
    /// The division's name.
    pub name: String,
}

/// A team of the ceremony.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealedTeam {
    /// The team's name.
    pub team_name: String,
    /// Two-letter country code.
    pub country: String,
    /// True for a student team.
    pub student: bool,
    /// IDs of the team's public divisions.
    pub divisions: Vec<String>,
    /// Points on the frozen scoreboard.
    pub frozen_points: i64,
    /// Final points without those of `solves`.
    pub points: i64,
    /// Time of the last solve not in `solves`, in epoch milliseconds; 0 without one.
    pub last_solve_at: i64,
    /// Number of solves not in `solves`.
    pub nsolves: usize,
    /// Hidden solves that add points, oldest first.
    pub solves: Vec<SealedSolve>,
    /// Rank on the final scoreboard, from 1.
    pub final_rank: usize,
    /// Points on the final scoreboard.
    pub final_points: i64,
}

/// A solve that the freeze hides.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealedSolve {
    /// The challenge's name.
    pub challenge_name: String,
    /// First category of the challenge; empty without one.
    pub category: String,
    /// Points on the final scoreboard.
    pub points: i64,
    /// Time of the solve, in epoch milliseconds.
    pub at: i64,
}

impl Ceremony {
    /// Computes both scoreboards of a fold, which takes time linear in the number of solves.
    pub fn of(contest: &Contest, teams: &Teams) -> Self {
        let frozen = view::board(contest, Viewer::Public);
        let last = view::board(contest, Viewer::Organizer);
        let sealed = |team: CeremonyTeam<'_>| SealedTeam {
            team_name: team.row.name().to_owned(),
            country: team.row.country().to_owned(),
            student: teams.is_student(team.row),
            divisions: team.row.divisions().iter().map(ToString::to_string).collect(),
            frozen_points: team.frozen_points,
            points: team.start_points,
            last_solve_at: team.start_last_ms,
            nsolves: team.row.marks().len() - team.solves.len(),
            solves: team.solves.iter().map(SealedSolve::of).collect(),
            final_rank: team.rank,
            final_points: team.row.points(),
        };
        let name = contest.event().map(|event| event.name.clone()).unwrap_or_default();
        let divisions = contest.divisions().iter().map(CeremonyDivision::of).collect();
        let teams = ceremony::ceremony(&frozen, &last).into_iter().map(sealed).collect();
        Self { name, divisions, teams }
    }
}

impl CeremonyDivision {
    fn of(division: &Division) -> Self {
        Self { id: division.id.to_string(), name: division.name.clone() }
    }
}

impl SealedSolve {
    fn of(solve: &HiddenSolve<'_>) -> Self {
        let HiddenSolve { challenge, points, at_ms: at } = *solve;
        let challenge_name = challenge.name.clone();
        let category = challenge.categories.first().cloned().unwrap_or_default();
        Self { challenge_name, category, points, at }
    }
}
