/** The page after a signup that requires confirmation, with options to resend the link. */
import { useEffect, useRef, useState } from "react";
import { postOtherAddress, postResend } from "../../api/calls";
import { useMessages } from "../../messages/language";
import { EmailField, Form, formText } from "../../ui/field/field";
import { FormPage } from "../../ui/form-page/form-page";
import { useNotify } from "../../ui/notification/notification";
import { useAttempt } from "./attempt";
import { CaptchaField } from "./captcha-field";
import { useSending } from "./outcome";
import styles from "./signup.module.css";

/** A team that has signed up. */
export interface Created {
  teamName: string;
  email: string;
  password: string;
  /** True if the team is on the waiting list. */
  isWaiting: boolean;
}

interface CheckMailProps {
  created: Created;
  onMoved: (email: string) => void;
}

function OtherAddress({ created, onMoved }: CheckMailProps) {
  const { account } = useMessages();
  const { notify } = useNotify();
  const other = useAttempt(async (email: string, captchaToken) => {
    const { teamName, password } = created;
    notify("info", await postOtherAddress({ teamName, password, email, captchaToken }));
    onMoved(email);
  });
  return (
    <Form onSubmit={(form) => other.submit(formText(form, "email").trim())} onInput={other.onInput}>
      <EmailField autoFocus />
      <CaptchaField {...other.captcha} />
      <button type="submit" disabled={other.pending}>
        {account.otherAddressButton}
      </button>
    </Form>
  );
}

export function CheckMail({ created, onMoved }: CheckMailProps) {
  const { account } = useMessages();
  const again = useSending(postResend);
  const [isOther, setIsOther] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  const { email, isWaiting } = created;
  // The form that had the focus was removed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: also for another address.
  useEffect(() => text.current?.focus(), [email]);
  function moved(to: string) {
    setIsOther(false);
    onMoved(to);
  }
  return (
    <FormPage title={account.checkMailTitle} below={<a href="/login">{account.backToLogin}</a>}>
      <div className={styles.created}>
        <p ref={text} tabIndex={-1}>
          {account.checkMail(email)}
        </p>
        {isWaiting && (
          <p>
            {account.waitingTitle}. {account.waitingConfirm}
          </p>
        )}
        <p className="quiet">{account.checkMailNote}</p>
        {isOther ? (
          <OtherAddress created={created} onMoved={moved} />
        ) : (
          <div className={styles.choices}>
            <button type="button" disabled={again.isPending} onClick={() => again.mutate(email)}>
              {account.resendButton}
            </button>
            <button type="button" onClick={() => setIsOther(true)}>
              {account.otherAddress}
            </button>
          </div>
        )}
      </div>
    </FormPage>
  );
}
