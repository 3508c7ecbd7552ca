/** File selection and drag-and-drop. */
import { type ComponentProps, type DragEvent, useId, useState } from "react";

interface FileInputProps extends ComponentProps<"input"> {
  label: string;
  hint: string;
  onFiles: (files: readonly File[]) => void;
}

export function FileInput({ label, hint, onFiles, ...input }: FileInputProps) {
  const id = useId();
  return (
    <div className="org-field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        type="file"
        aria-describedby={`${id}-note`}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // Allows selecting the same file again after fixing it.
          event.currentTarget.value = "";
        }}
      />
      <p id={`${id}-note`} className="org-note">
        {hint}
      </p>
    </div>
  );
}

/** Props that make an element accept dropped files. */
export function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  return {
    "data-over": isOver || undefined,
    onDragOver(event: DragEvent) {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setOver(false);
      onFiles([...event.dataTransfer.files]);
    },
  };
}
