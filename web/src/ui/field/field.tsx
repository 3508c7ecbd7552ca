/** A form, and a labeled input described by its hint or its error. */
import {
  type ComponentProps,
  type FormEvent,
  type InputHTMLAttributes,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { Messages } from "../../messages/en";
import { useMessages } from "../../messages/language";
import { BrokenIcon } from "../icons/icons";
import styles from "./field.module.css";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string | undefined;
  fault?: string | null | undefined;
  /** Returns the error of a value, or null. Like `required`, it is reported at submission. */
  check?: ((value: string) => string | null) | undefined;
  /** Error message, announced when it appears, also while the field keeps the focus. */
  announced?: boolean;
  /** For a form that focuses the field. */
  ref?: Ref<HTMLInputElement>;
}

type Control = HTMLInputElement | HTMLSelectElement;

/** The error of an input as a sentence in the page's language. */
function faultOf(input: Control, check: FieldProps["check"], words: Messages): string {
  const { validity, validationMessage } = input;
  if (validity.valueMissing) return check?.("") ?? words.account.missing;
  if (validity.typeMismatch) return words.account.notEmail;
  return validationMessage;
}

/** True for the first invalid control of a form. */
export function isFirstInvalid(control: Control): boolean {
  return control.form?.querySelector(":is(input, select, textarea):invalid") === control;
}

/**
 * The error that the browser found at submission, instead of the browser's own message. It is gone
 * with the next input. The first invalid field has the focus.
 */
export function useNativeFault(check?: FieldProps["check"]) {
  const words = useMessages();
  const field = useRef<HTMLDivElement>(null);
  const [found, find] = useState<{ fault: string; hadFocus: boolean } | null>(null);
  const refine = (input: Control) => input.setCustomValidity(check?.(input.value) ?? "");
  useEffect(() => {
    const input = field.current?.querySelector("input");
    if (check && input) refine(input);
  });
  return {
    field,
    fault: found?.fault ?? null,
    hadFocus: found?.hadFocus === true,
    onInvalid(event: FormEvent<Control>) {
      event.preventDefault();
      const input = event.currentTarget;
      find({ fault: faultOf(input, check, words), hadFocus: document.activeElement === input });
      if (isFirstInvalid(input)) input.focus();
    },
    onInput(event: FormEvent<Control>) {
      if (check) refine(event.currentTarget);
      find(null);
    },
  };
}

/** An error below its field. */
export function Fault(props: { id?: string; announced: boolean; children: string }) {
  return (
    <p id={props.id} role={props.announced ? "alert" : undefined} className={styles.fault}>
      <BrokenIcon />
      <span>{props.children}</span>
    </p>
  );
}

export function Field(props: FieldProps) {
  const { label, hint, fault, check, announced = false, type = "text", ...input } = props;
  const id = useId();
  const native = useNativeFault(check);
  const shown = native.fault ?? fault;
  const note = shown ?? hint;
  return (
    <div className={styles.field} ref={native.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <input
        id={id}
        type={type}
        aria-describedby={note ? `${id}-note` : undefined}
        aria-invalid={shown ? true : undefined}
        onInvalid={native.onInvalid}
        onInput={native.onInput}
        {...input}
      />
      {/* Separate elements for hint and error: screen readers announce a newly added alert. */}
      {shown && (
        <Fault id={`${id}-note`} announced={announced || native.hadFocus}>
          {shown}
        </Fault>
      )}
      {!shown && hint && (
        <p id={`${id}-note`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

type OneField = Partial<FieldProps>;

export function EmailField(props: OneField) {
  const label = useMessages().account.email;
  const input = { label, name: "email", type: "email", autoComplete: "email", maxLength: 254 };
  return <Field {...input} required {...props} />;
}

/** A password field; a form for a new password sets `autoComplete`. */
export function PasswordField(props: OneField) {
  const label = useMessages().account.password;
  const input = { label, name: "password", type: "password", autoComplete: "current-password" };
  return <Field {...input} required {...props} />;
}

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  onSubmit: (form: HTMLFormElement) => void;
}

/** A form whose submission is handled in JavaScript. */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    />
  );
}

/** The value of a text field of a form. */
export function formText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}
