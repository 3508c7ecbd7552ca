/** Dialogs of organizers: a form with a foot that stays in view below the scrolling content. */
import type { ComponentProps, ReactNode } from "react";
import { Dialog } from "../../../ui/dialog/dialog";
import styles from "./dialog-parts.module.css";

interface FormDialogProps extends Omit<ComponentProps<typeof Dialog>, "frame"> {
  /** Properties of the form, which contains content and foot. */
  form: ComponentProps<"form">;
  /** Buttons and fields that stay in view. */
  foot: ReactNode;
}

export function FormDialog({ form, foot, ...dialog }: FormDialogProps) {
  const frame = (body: ReactNode) => (
    <form {...form} className={styles.form}>
      {body}
      <div data-foot className={styles.foot}>
        {foot}
      </div>
    </form>
  );
  return <Dialog {...dialog} frame={frame} />;
}

/** The last row of a form inside a dialog, which stays in view while the form scrolls. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={styles.sticky}>{children}</div>;
}
