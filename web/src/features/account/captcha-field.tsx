/** The captcha of the provider that the event has chosen. */
import type { Ref } from "react";
import { apiUrl } from "../../api/base";
import { useCtf } from "../../api/queries";
import { Captcha, type CaptchaHandle, captchaProvider } from "../../ui/captcha/captcha";

interface CaptchaFieldProps {
  ref: Ref<CaptchaHandle>;
  onError: (error: unknown) => void;
}

export function CaptchaField({ ref, onError }: CaptchaFieldProps) {
  const captcha = useCtf().data?.info.captcha;
  if (!captcha) return null;
  return (
    <Captcha
      ref={ref}
      provider={captchaProvider(captcha.provider)}
      siteKey={captcha.siteKey ?? null}
      challengeUrl={apiUrl("/captcha")}
      onError={onError}
    />
  );
}
