/** Login; it leads on to the address in `to`, also by way of the signup. */
import { readDestination, signupAddress } from "../../addresses";
import { useMessages } from "../../messages/language";
import { useAddress } from "../../navigate";
import { FormPage } from "../../ui/form-page/form-page";
import { LoginForm } from "./login-form";

export default function LoginPage() {
  const { account } = useMessages();
  const { search } = useAddress();
  const to = readDestination(search);
  return (
    <FormPage
      title={account.login}
      below={
        <>
          <a href={signupAddress(to)}>{account.noTeamYet}</a>
          <a href="/reset">{account.forgotPassword}</a>
        </>
      }
    >
      <LoginForm to={to} />
    </FormPage>
  );
}
