//! Points of a challenge. The site implements the same rule; `vectors/points.json` tests both.

use crate::challenge::Scoring;

/// Exponent of the dynamic curve.
const DYNAMIC_EXPONENT: f64 = 1.3;

/// Default `d` of the dynamic curve.
pub const DECAY_DEFAULT: i64 = 15;

/// Points of a challenge that `nsolves` teams have solved: for the solver at `position` (from 1),
/// or without a position, for the header of the challenge's column.
///
/// - static: `max`.
/// - speedrun: `values[position - 1]`, 0 past the end; without a position the number of solves
///   takes its place, and place 0 shows the first value.
/// - dynamic: `max(min, floor(max * min(1, d/(d-1+n))^1.3))`. `libm` computes the power in
///   software, so every machine and the browsers agree to the last bit.
pub fn value(scoring: &Scoring, nsolves: u32, position: Option<u32>) -> i64 {
    match scoring {
        Scoring::Static { max } => *max,
        Scoring::Speedrun { values } => {
            let place = position.unwrap_or(nsolves).saturating_sub(1);
            values.get(place as usize).copied().unwrap_or(0)
        }
        Scoring::Dynamic { max, min, decay } => {
            let decay = *decay as f64;
            let share = (decay / (decay - 1.0 + f64::from(nsolves))).min(1.0);
            let value = (*max as f64 * libm::pow(share, DYNAMIC_EXPONENT)).floor();
            (value as i64).max(*min)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dynamic_points_match_the_contract() {
        let scoring = Scoring::Dynamic { max: 500, min: 50, decay: DECAY_DEFAULT };
        let table = [(0, 500), (1, 500), (2, 459), (3, 424), (5, 367), (10, 271), (20, 172)];
        for (n, points) in table.into_iter().chain([(50, 75), (73, 50), (u32::MAX, 50)]) {
            assert_eq!(value(&scoring, n, Some(1)), points, "{n} solves");
        }
    }

    #[test]
    fn speedrun_points_follow_the_position_and_then_are_zero() {
        let scoring = Scoring::Speedrun { values: vec![100, 50] };
        for (nsolves, position, points) in
            [(0, None, 100), (1, None, 100), (2, None, 50), (3, None, 0), (9, Some(2), 50)]
        {
            assert_eq!(value(&scoring, nsolves, position), points);
        }
        assert_eq!(value(&Scoring::Speedrun { values: vec![] }, 0, None), 0);
    }
}
