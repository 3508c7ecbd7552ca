/** The heading of a step, which gets the focus when the step replaces the one before. */
import { type ReactNode, useEffect, useRef } from "react";

export function StepTitle({ children }: { children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <h2 ref={title} tabIndex={-1}>
      {children}
    </h2>
  );
}
