/** The team's country, which is public. */
import { postCountry } from "../../../api/calls";
import { useMessages } from "../../../messages/language";
import { Form, formText } from "../../../ui/field/field";
import { CountryBox } from "../country-box";
import { Card } from "./card";
import { useSaving } from "./saving";

export function Country({ country }: { country: string }) {
  const { account, own: words } = useMessages();
  const { mutate, isPending } = useSaving(postCountry);
  return (
    <Card title={account.country} folds>
      <Form onSubmit={(form) => mutate(formText(form, "country"))}>
        <CountryBox key={country} initial={country} />
        <p className="quiet">{words.countryNote}</p>
        <button type="submit" disabled={isPending}>
          {words.saveCountry}
        </button>
      </Form>
    </Card>
  );
}
