/** The login page, which continues to the address in `to`. The link to the signup keeps `to`. */
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
