/** The captcha of the provider that the event has chosen, with its error. */
import type { ComponentProps } from "react";
import { apiUrl } from "../../api/base";
import { useCtf } from "../../api/queries";
import { useMessages } from "../../messages/language";
import { Captcha, captchaProvider, INVALID_CAPTCHA } from "../../ui/captcha/captcha";
import { Fault } from "../../ui/field/field";
import styles from "../../ui/field/field.module.css";

interface CaptchaFieldProps
  extends Pick<ComponentProps<typeof Captcha>, "ref" | "onError" | "onSolved"> {
  /** True after an attempt without a token. */
  isUnsolved?: boolean;
}

export function CaptchaField({ isUnsolved = false, ...props }: CaptchaFieldProps) {
  const { translate } = useMessages();
  const captcha = useCtf().data?.info.captcha;
  if (!captcha) return null;
  return (
    <div className={styles.field}>
      <Captcha
        {...props}
        provider={captchaProvider(captcha.provider)}
        siteKey={captcha.siteKey ?? null}
        challengeUrl={apiUrl("/captcha")}
      />
      {isUnsolved && <Fault announced>{translate(INVALID_CAPTCHA)}</Fault>}
    </div>
  );
}
