/** The choice of divisions: one of each group, with the code of those that need one. */
import { useId, useState } from "react";
import { useCtf } from "../../../api/queries";
import type { components } from "../../../api/schema";
import { groupBy } from "../../../domain/board";
import { useMessages } from "../../../messages/language";
import { Field, formText } from "../../../ui/field/field";
import styles from "../signup.module.css";

type Division = components["schemas"]["DivisionInfo"];

const groupName = (group: string) => `division ${group}`;
const codeName = ({ id }: Division) => `division code ${id}`;

interface GroupProps {
  group: string;
  divisions: readonly Division[];
  joined: readonly string[];
}

function Group({ group, divisions, joined }: GroupProps) {
  const { account, divisions: words } = useMessages();
  const id = useId();
  const initial = divisions.find((division) => joined.includes(division.id))?.id ?? "";
  const [chosen, choose] = useState(initial);
  const coded = divisions.find((division) => division.id === chosen && division.join === "code");
  return (
    <>
      <div className={styles.choice}>
        <label htmlFor={id}>
          <bdi>{account.optional(group)}</bdi>
        </label>
        <select
          id={id}
          name={groupName(group)}
          value={chosen}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="" />
          {divisions.map((division) => (
            <option key={division.id} value={division.id}>
              {division.name}
            </option>
          ))}
        </select>
      </div>
      {coded && chosen !== initial && (
        <Field
          label={words.code(coded.name)}
          name={codeName(coded)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      )}
    </>
  );
}

/** Divisions that a team can choose: none of a group in which organizers have put it. */
export function choosable(all: readonly Division[], joined: readonly string[] = []): Division[] {
  const fixed = all.filter(({ id, join }) => join === "organizers" && joined.includes(id));
  const isFixed = (group: string) => fixed.some((one) => one.group === group);
  return all.filter(({ join, group }) => join !== "organizers" && !isFixed(group));
}

export function DivisionFields({ joined = [], student }: { joined?: string[]; student: boolean }) {
  const all = useCtf().data?.info.divisions ?? [];
  const shown = choosable(all, joined).filter((one) => student || !one.student);
  return groupBy(shown, ({ group }) => group).map(([group, divisions]) => (
    <Group key={group} group={group} divisions={divisions} joined={joined} />
  ));
}

/** The chosen divisions and their codes in a form. */
export function readDivisions(form: HTMLFormElement, all: readonly Division[]) {
  const chosen = all.filter(({ id, group }) => formText(form, groupName(group)) === id);
  const codes = chosen
    .filter((division) => form.elements.namedItem(codeName(division)))
    .map((division) => [division.id, formText(form, codeName(division)).trim()] as const);
  return { divisions: chosen.map(({ id }) => id), divisionCode: Object.fromEntries(codes) };
}
