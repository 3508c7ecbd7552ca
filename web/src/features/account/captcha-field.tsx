/** The captcha of the provider that the event has chosen. */
import type { ComponentProps } from "react";
import { apiUrl } from "../../api/base";
import { useCtf } from "../../api/queries";
import { Captcha, captchaProvider } from "../../ui/captcha/captcha";

type CaptchaFieldProps = Pick<ComponentProps<typeof Captcha>, "ref" | "onError">;

export function CaptchaField(props: CaptchaFieldProps) {
  const captcha = useCtf().data?.info.captcha;
  if (!captcha) return null;
  return (
    <Captcha
      {...props}
      provider={captchaProvider(captcha.provider)}
      siteKey={captcha.siteKey ?? null}
      challengeUrl={apiUrl("/captcha")}
    />
  );
}
