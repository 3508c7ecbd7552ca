/** The team's divisions, which it can change until the start. */
import { postDivisions } from "../../../api/calls";
import { useStatus } from "../../../api/clock";
import { useCtf } from "../../../api/queries";
import { useMessages } from "../../../messages/language";
import { Form } from "../../../ui/field/field";
import { Card } from "./card";
import { choosable, DivisionFields, readDivisions } from "./division-fields";
import { useSaving } from "./saving";

export function Divisions({ joined }: { joined: string[] }) {
  const { divisions: words } = useMessages();
  const all = useCtf().data?.info.divisions ?? [];
  const { mutate, isPending } = useSaving(postDivisions);
  const hasStarted = !["not_started", "unknown"].includes(useStatus());
  const names = all.filter(({ id }) => joined.includes(id)).map(({ name }) => name);
  const canChoose = !hasStarted && choosable(all, joined).length > 0;
  if (names.length === 0 && !canChoose) return null;
  return (
    <Card title={words.title} folds>
      {names.length > 0 && (
        <p>
          <bdi>{names.join(", ")}</bdi>
        </p>
      )}
      {canChoose && (
        <Form onSubmit={(form) => mutate(readDivisions(form, all))}>
          <DivisionFields key={joined.join(" ")} joined={joined} student={true} />
          <p className="quiet">{words.note}</p>
          <button type="submit" disabled={isPending}>
            {words.save}
          </button>
        </Form>
      )}
    </Card>
  );
}
