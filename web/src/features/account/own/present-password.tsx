/** The present password, without which a form of the page changes nothing. */
import { useMessages } from "../../../messages/language";
import { PasswordField } from "../../../ui/field/field";

export function PresentPassword({ team }: { team: string }) {
  const { own: words } = useMessages();
  return (
    <>
      {/* For password managers, which keep passwords by name. */}
      <input type="text" autoComplete="username" value={team} readOnly hidden />
      <PasswordField label={words.presentPassword} />
    </>
  );
}
