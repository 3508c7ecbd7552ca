/** A form, a labelled input, described by its hint or its error, and what a form reads of it. */
import { type ComponentProps, type InputHTMLAttributes, type Ref, useId } from "react";
import { useMessages } from "../../messages/language";
import styles from "./field.module.css";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string | undefined;
  fault?: string | null | undefined;
  /** The error is read out when it appears, also where the focus stays in the field. */
  announced?: boolean;
  /** For a form that focuses the field. */
  ref?: Ref<HTMLInputElement>;
}

export function Field(props: FieldProps) {
  const { label, hint, fault, announced = false, type = "text", ...input } = props;
  const id = useId();
  const note = fault ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className="quiet">
        {label}
      </label>
      <input
        id={id}
        type={type}
        aria-describedby={note ? `${id}-note` : undefined}
        aria-invalid={fault ? true : undefined}
        {...input}
      />
      {note && (
        // A new element for each kind: screen readers announce an alert when it appears.
        <p
          key={fault ? "fault" : "hint"}
          id={`${id}-note`}
          role={fault && announced ? "alert" : undefined}
          className={fault ? styles.fault : styles.hint}
        >
          {note}
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

/** The field of a password; a form for a new one changes `autoComplete`. */
export function PasswordField(props: OneField) {
  const label = useMessages().account.password;
  const input = { label, name: "password", type: "password", autoComplete: "current-password" };
  return <Field {...input} required {...props} />;
}

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  onSubmit: (form: HTMLFormElement) => void;
}

/** A form that the browser does not send. */
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
