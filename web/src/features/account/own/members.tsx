/** The names of the team members, for prizes. */
import { type Account, postMembers } from "../../../api/calls";
import { useMessages } from "../../../messages/language";
import { Field, Form } from "../../../ui/field/field";
import { Card } from "./card";
import styles from "./own.module.css";
import { useSaving } from "./saving";

const NAME_MAX = 60;

/** The non-empty names, in order. */
function namesOf(form: HTMLFormElement): string[] {
  const values = new FormData(form).getAll("member");
  return values.filter((value) => typeof value === "string" && value.trim() !== "").map(String);
}

export function Members({ own }: { own: Account }) {
  const { own: words } = useMessages();
  const { mutate, isPending } = useSaving(postMembers);
  const places = Math.max(own.membersMax, own.members.length);
  return (
    <Card title={words.members} folds>
      <Form onSubmit={(form) => mutate(namesOf(form))}>
        <p className="quiet">{words.membersNote}</p>
        <div className={styles.members}>
          {Array.from({ length: places }, (_, place) => (
            <Field
              // biome-ignore lint/suspicious/noArrayIndexKey: a field is only a position.
              key={`${place} ${own.members[place]}`}
              label={words.member(place + 1)}
              name="member"
              autoComplete="off"
              maxLength={NAME_MAX}
              defaultValue={own.members[place]}
            />
          ))}
        </div>
        <button type="submit" disabled={isPending}>
          {words.saveMembers}
        </button>
      </Form>
    </Card>
  );
}
