/** Form for an organizer's name, roles and challenges. Errors are shown at their fields. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";
import { codeOf, type RolesRequest } from "../../api/organize";
import { getChallenges } from "../../api/organize-lists";
import { codePointLength } from "../../domain/text";
import { useOrganizeMessages } from "../../messages/organize/words";
import { Field, Form, formText } from "../../ui/field/field";
import { challengeOptions, type Options, optionsOf } from "./change/fields";
import { useFault, useSentence } from "./fault";
import { DialogFoot } from "./forms/dialog-parts";
import styles from "./organize.module.css";
import { Fault } from "./query-content";

const ROLES = ["observer", "author", "support", "organizer", "owner"];
/** Name length limits, as enforced by the server for teams and organizers. */
const NAME = { min: 3, max: 25 };

function readForm(form: HTMLFormElement, name: string | undefined): RolesRequest {
  const roles = new FormData(form).getAll("roles").filter((role) => typeof role === "string");
  const given = new FormData(form).getAll("challenges");
  const ids = given.flatMap((one) => (typeof one === "string" ? one.split(/[\s,]+/) : []));
  return {
    name: name ?? formText(form, "name").trim(),
    roles,
    challenges: roles.includes("author") ? ids.filter((id) => id !== "") : [],
  };
}

interface ChoicesProps {
  name: string;
  legend: string;
  options: Options;
  chosen: readonly string[];
  fault: string | null | undefined;
  /** Explanations by value. */
  notes?: Readonly<Record<string, string>>;
  onChange?: (value: string, isChosen: boolean) => void;
  /** Shown if there is nothing to choose from. */
  children?: ReactNode;
}

function Choices(props: ChoicesProps) {
  const { name, legend, options, chosen, fault, notes = {}, onChange, children } = props;
  const isDense = Object.keys(notes).length === 0;
  const id = useId();
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {children}
      <div className={isDense ? styles.dense : undefined}>
        {options.map(([value, text]) => (
          <div key={value} className={styles.choiceRow}>
            <label className={styles.choice}>
              <input
                type="checkbox"
                name={name}
                value={value}
                defaultChecked={chosen.includes(value)}
                aria-describedby={notes[value] ? `${id}-${value}` : undefined}
                onChange={(event) => onChange?.(value, event.currentTarget.checked)}
              />
              <bdi>{text}</bdi>
            </label>
            {notes[value] && (
              <p id={`${id}-${value}`} className={styles.muted}>
                {notes[value]}
              </p>
            )}
          </div>
        ))}
      </div>
      <Fault text={fault} />
    </fieldset>
  );
}

/**
 * The author's challenges. IDs of removed challenges stay until they are unchecked.
 */
function ChallengeChoices({ chosen, fault }: Pick<ChoicesProps, "chosen" | "fault">) {
  const { organizers: words, loading } = useOrganizeMessages();
  const list = useQuery({
    queryKey: ["organize", "challenge-choices"],
    queryFn: () => getChallenges({}),
    gcTime: 0,
  });
  if (list.isPending) return <p role="status">{loading}</p>;
  const known = challengeOptions(list.data ?? []);
  const lost = chosen.filter((id) => known.every(([one]) => one !== id));
  return (
    <Choices
      name="challenges"
      legend={words.challengesField}
      options={[...known, ...lost.map((id) => [id, id] as const)]}
      chosen={chosen}
      fault={fault}
    >
      {known.length === 0 && <p>{list.error ? words.challengesFailed : words.challengesNone}</p>}
    </Choices>
  );
}

type Place = "name" | "roles" | "challenges" | "form";

/** Field of the form that a server error belongs to. */
function placeOf(error: unknown): Place {
  const code = codeOf(error) ?? "";
  if (code.startsWith("organizer_name_")) return "name";
  if (code === "last_owner" || code === "role_unknown") return "roles";
  return code === "challenges_mismatch" || code === "challenge_not_found" ? "challenges" : "form";
}

interface RightsFormProps {
  /** Organizer to edit; `null` for a new one. */
  organizer: RolesRequest | null;
  button: string;
  send: (input: RolesRequest) => Promise<void>;
}

export function RightsForm({ organizer, button, send }: RightsFormProps) {
  const words = useOrganizeMessages();
  const [isAuthor, setAuthor] = useState(organizer?.roles.includes("author") ?? false);
  const sentence = useSentence();
  const name = useFault();
  const [faults, setFaults] = useState<Partial<Record<Place, string | null>>>({});
  function show(place: Place, text: string | null) {
    if (place === "name") name.show(text);
    else setFaults({ [place]: text });
  }
  const saving = useMutation({
    mutationFn: send,
    onError: (error) => show(placeOf(error), sentence(error)),
  });
  function submit(form: HTMLFormElement) {
    const input = readForm(form, organizer?.name);
    const length = codePointLength(input.name.normalize("NFC"));
    const fits = organizer !== null || (length >= NAME.min && length <= NAME.max);
    setFaults({ roles: input.roles.length === 0 ? words.organizers.rolesFault : null });
    name.show(fits ? null : words.organizers.nameFault(NAME.min, NAME.max));
    if (fits && input.roles.length > 0) saving.mutate(input);
  }
  const nameField = name.field;
  useEffect(() => nameField.current?.focus(), [nameField]);
  return (
    <Form onSubmit={submit} className={styles.stack}>
      {organizer === null && (
        <Field
          announced
          ref={name.field}
          label={words.name}
          name="name"
          autoComplete="off"
          hint={words.organizers.nameHint(NAME.min, NAME.max)}
          fault={name.fault}
          required
        />
      )}
      <Choices
        name="roles"
        legend={words.organizers.roles}
        options={optionsOf(words.roles, ROLES)}
        notes={words.manage.people.roleNotes}
        chosen={organizer?.roles ?? []}
        fault={faults.roles}
        onChange={(role, isChosen) => role === "author" && setAuthor(isChosen)}
      />
      {isAuthor && (
        <ChallengeChoices chosen={organizer?.challenges ?? []} fault={faults.challenges} />
      )}
      <Fault text={faults.form} />
      <DialogFoot>
        <button type="submit" disabled={saving.isPending}>
          {button}
        </button>
      </DialogFoot>
    </Form>
  );
}
