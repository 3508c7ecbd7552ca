/** The vectors of `points.json`, shared with the server, and the contract's own numbers. */
import { expect, test } from "vitest";
import vectors from "../../../vectors/points.json";
import { type ChallengeType, dynamicPoints, pointsOf } from "./points";

function typeOf(text: string): ChallengeType {
  if (text === "static" || text === "dynamic" || text === "speedrun") return text;
  throw new Error(`a vector of unknown type ${text}`);
}

test("every vector of points.json has its points", () => {
  expect(vectors.length).toBeGreaterThan(100);
  const wrong = vectors.filter((vector) => {
    const challenge = { ...vector, challengeType: typeOf(vector.challengeType) };
    return pointsOf(challenge, vector.position ?? undefined) !== vector.points;
  });
  expect(wrong).toEqual([]);
});

test("the dynamic values are those of the contract", () => {
  const counts = [1, 2, 3, 5, 10, 20, 50, 73];
  const values = counts.map((n) => dynamicPoints(500, 50, 15, n));
  expect(values).toEqual([500, 459, 424, 367, 271, 172, 75, 50]);
});
