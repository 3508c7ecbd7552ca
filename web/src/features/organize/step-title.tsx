/** Heading of a step, focused when the step replaces the previous one. */
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
