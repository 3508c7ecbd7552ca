/** The team's country: a native select (typing a name finds it) with the chosen flag beside. */
import { useEffect, useId, useRef, useState } from "react";
import countries from "../../../../vectors/countries.json";
import { useMessages } from "../../messages/language";
import { Flag } from "../../ui/flag";
import styles from "./signup.module.css";

const COUNTRY_DEFAULT = "UN";

export function CountrySelect() {
  const { account } = useMessages();
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const [code, setCode] = useState(COUNTRY_DEFAULT);
  useEffect(() => {
    const form = select.current?.form;
    const reset = () => setCode(COUNTRY_DEFAULT);
    form?.addEventListener("reset", reset);
    return () => form?.removeEventListener("reset", reset);
  }, []);
  return (
    <div className={styles.country}>
      <label htmlFor={id}>{account.country}</label>
      <div className={styles.chosen}>
        <span aria-hidden="true">
          <Flag code={code} />
        </span>
        <select
          id={id}
          ref={select}
          name="country"
          autoComplete="country"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        >
          {countries.map((country) => (
            <option key={country.code} value={country.code}>
              {`${country.name} ${country.flag}`}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
