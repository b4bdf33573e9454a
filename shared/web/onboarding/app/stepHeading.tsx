import { useHeading } from "../../browser/useHeading.ts";

/** Moves the focus to the step's heading after the focused element is removed. */
export const focusHeading = (): void => document.querySelector<HTMLElement>("h2")?.focus();

/** A step's heading, which is also the title of the browser tab. */
export function StepHeading({ children }: { children: string }) {
  const heading = useHeading(children);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
