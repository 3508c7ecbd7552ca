/** A button that opens a dialog. */
import { type ReactNode, useState } from "react";

interface DialogButtonProps {
  text: string;
  label?: string;
  className?: string;
  /** The dialog. */
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ text, label, className, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-label={label} onClick={() => setOpen(true)}>
        {text}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
