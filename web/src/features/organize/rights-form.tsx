/** The form for an organizer's name, roles and challenges; each error is shown at its field. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { codeOf, type RolesRequest } from "../../api/organize";
import { getChallenges } from "../../api/organize-lists";
import { codePointLength } from "../../domain/text";
import { useOrganizeMessages, wordFor } from "../../messages/organize/words";
import { Field, Form, formText } from "../../ui/field/field";
import { useFault, useSentence } from "./fault";
import styles from "./organize.module.css";
import { Fault } from "./refused";

const ROLES = ["observer", "author", "support", "organizer", "owner"];
/** As the server has it for teams and organizers. */
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

interface RoleChoicesProps {
  chosen: ReadonlySet<string>;
  onChoose: (role: string, isChosen: boolean) => void;
  fault: string | null | undefined;
}

function RoleChoices({ chosen, onChoose, fault }: RoleChoicesProps) {
  const words = useOrganizeMessages();
  return (
    <fieldset className={styles.choices}>
      <legend>{words.organizers.roles}</legend>
      {ROLES.map((role) => (
        <label key={role} className={styles.choice}>
          <input
            type="checkbox"
            name="roles"
            value={role}
            checked={chosen.has(role)}
            onChange={(event) => onChoose(role, event.currentTarget.checked)}
          />
          {wordFor(words.roles, role)}
        </label>
      ))}
      <Fault text={fault} />
    </fieldset>
  );
}

interface ChallengeChoicesProps {
  chosen: readonly string[];
  fault: string | null | undefined;
}

/**
 * The author's challenges; ids of which there is no challenge any more stay until they are
 * unticked.
 */
function ChallengeChoices({ chosen, fault }: ChallengeChoicesProps) {
  const { organizers: words, loading } = useOrganizeMessages();
  const list = useQuery({
    queryKey: ["organize", "challenge-choices"],
    queryFn: () => getChallenges({}),
    gcTime: 0,
  });
  if (list.isPending) return <p role="status">{loading}</p>;
  const known = (list.data ?? []).map(({ id, challengeName }) => ({ id, name: challengeName }));
  const lost = chosen.filter((id) => known.every((one) => one.id !== id));
  return (
    <fieldset className={styles.choices}>
      <legend>{words.challengesField}</legend>
      {known.length === 0 && <p>{list.error ? words.challengesFailed : words.challengesNone}</p>}
      {[...known, ...lost.map((id) => ({ id, name: id }))].map(({ id, name }) => (
        <label key={id} className={styles.choice}>
          <input
            type="checkbox"
            name="challenges"
            value={id}
            defaultChecked={chosen.includes(id)}
          />
          <bdi>{name}</bdi>
        </label>
      ))}
      <Fault text={fault} />
    </fieldset>
  );
}

type Place = "name" | "roles" | "challenges" | "form";

/** The part of the form that an error of the server is about. */
function placeOf(error: unknown): Place {
  const code = codeOf(error) ?? "";
  if (code.startsWith("organizer_name_")) return "name";
  if (code === "last_owner" || code === "role_unknown") return "roles";
  return code === "challenges_mismatch" || code === "challenge_not_found" ? "challenges" : "form";
}

function useRightsForm({ organizer, send }: Pick<RightsFormProps, "organizer" | "send">) {
  const { organizers: words } = useOrganizeMessages();
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
    setFaults({ roles: input.roles.length === 0 ? words.rolesFault : null });
    name.show(fits ? null : words.nameFault(NAME.min, NAME.max));
    if (fits && input.roles.length > 0) saving.mutate(input);
  }
  return { name, faults, submit, pending: saving.isPending };
}

interface RightsFormProps {
  /** The organizer whose roles change; `null` for a new one. */
  organizer: RolesRequest | null;
  button: string;
  send: (input: RolesRequest) => Promise<void>;
}

export function RightsForm({ organizer, button, send }: RightsFormProps) {
  const words = useOrganizeMessages();
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set(organizer?.roles));
  const { name, faults, submit, pending } = useRightsForm({ organizer, send });
  const nameField = name.field;
  useEffect(() => nameField.current?.focus(), [nameField]);
  function onChoose(role: string, isChosen: boolean) {
    const others = [...chosen].filter((one) => one !== role);
    choose(new Set(isChosen ? [...others, role] : others));
  }
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
      <RoleChoices chosen={chosen} onChoose={onChoose} fault={faults.roles} />
      {chosen.has("author") && (
        <ChallengeChoices chosen={organizer?.challenges ?? []} fault={faults.challenges} />
      )}
      <Fault text={faults.form} />
      <div>
        <button type="submit" disabled={pending}>
          {button}
        </button>
      </div>
    </Form>
  );
}
