/** A button that opens a dialog. */
import { type ReactNode, useState } from "react";
import { Dialog } from "../../ui/dialog/dialog";

interface DialogButtonProps {
  text: string;
  className?: string;
  title: string;
  /** True if the title is also the button's accessible name. */
  isNamed?: boolean;
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ text, className, title, isNamed, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={isNamed ? title : undefined}
        onClick={() => setOpen(true)}
      >
        {text}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
