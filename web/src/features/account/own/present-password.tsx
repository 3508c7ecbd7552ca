/** The field for the current password, which forms of the account page require. */
import { useMessages } from "../../../messages/language";
import { PasswordField } from "../../../ui/field/field";

export function PresentPassword({ team }: { team: string }) {
  const { own: words } = useMessages();
  return (
    <>
      {/* For password managers, which store passwords by name. */}
      <input type="text" autoComplete="username" value={team} readOnly hidden />
      <PasswordField label={words.presentPassword} />
    </>
  );
}
