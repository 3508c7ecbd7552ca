/** Sections of the editor, with the form fields and problems that belong to each. Pure. */
import type { Found } from "../../../../api/organize-sources";
import type { Typed } from "../form";
import { type Place, problemsAt } from "../problems";

type Field = Extract<keyof Typed, string>;

interface SectionOf {
  /** Fields of the form, by their name in the draft. */
  readonly fields: readonly Field[];
  /** Places of problems; null for those of the whole file. */
  readonly places: readonly (Place | null)[];
}

const SECTIONS = {
  text: {
    fields: [
      ...(["name", "id", "category", "author", "tags", "difficulty"] as const),
      ...(["description", "attribution"] as const),
    ],
    places: [
      ...([null, "name", "category", "author", "tags", "difficulty"] as const),
      ...(["description", "attribution"] as const),
    ],
  },
  flags: {
    fields: ["flags", "logic", "attempts", "flagFormat"],
    places: ["flags", "logic", "attempts", "flagFormat"],
  },
  hints: { fields: ["hints"], places: ["hints"] },
  files: { fields: ["files", "connection"], places: ["files", "connection"] },
  scoring: {
    fields: ["type", "value", "initial", "minimum", "decay", "values"],
    places: ["scoring"],
  },
  requirements: { fields: ["requirements"], places: ["requirements"] },
  release: { fields: ["position"], places: ["position"] },
  solution: { fields: ["solution"], places: ["solution"] },
} as const satisfies Readonly<Record<string, SectionOf>>;

export type SectionName = keyof typeof SECTIONS;

const NAMES: readonly SectionName[] = [
  ...(["text", "flags", "hints", "files"] as const),
  ...(["scoring", "requirements", "release", "solution"] as const),
];

/** Sections that only organizers have, because their fields affect points or the release. */
const ORGANIZERS: ReadonlySet<SectionName> = new Set(["scoring", "requirements", "release"]);

/** Sections of an author or an organizer. */
export function sectionsFor(movesPoints: boolean): readonly SectionName[] {
  return NAMES.filter((name) => movesPoints || !ORGANIZERS.has(name));
}

export const sectionId = (name: SectionName) => `part-${name}`;

/** Marks of a section in the outline. */
export interface Marks {
  readonly errors: number;
  readonly warnings: number;
  /** True if it has an unsaved change. */
  readonly isEdited: boolean;
  /** True if a colleague changed the same field. */
  readonly isInConflict: boolean;
}

interface State {
  readonly problems: readonly Found[];
  readonly changed: readonly string[];
  readonly both: readonly string[];
}

export function marksOf(name: SectionName, { problems, changed, both }: State): Marks {
  const { fields, places }: SectionOf = SECTIONS[name];
  const own = places.flatMap((place) => problemsAt(problems, place));
  const errors = own.filter(({ severity }) => severity === "error").length;
  const has = (names: readonly string[]) => fields.some((field) => names.includes(field));
  return {
    errors,
    warnings: own.length - errors,
    isEdited: has(changed),
    isInConflict: has(both),
  };
}

/** The section after `from` in a direction, among those that match; it wraps around. */
export function nextSection(
  names: readonly SectionName[],
  from: SectionName,
  step: 1 | -1,
  matches: (name: SectionName) => boolean = () => true,
): SectionName | undefined {
  const at = names.indexOf(from);
  const around = names.map((_, index) => {
    return names[(at + step * (index + 1) + 2 * names.length) % names.length];
  });
  return around.find((name) => name !== undefined && matches(name));
}
