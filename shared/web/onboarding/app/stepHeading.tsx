import { useEffect, useRef } from "preact/hooks";

let isFirst = true;

/** Moves the focus to the step's heading after the focused element is removed. */
export const focusHeading = (): void => document.querySelector<HTMLElement>("h2")?.focus();

/**
 * A step's heading, which is also the title of the browser tab. The heading takes the focus when the visitor comes from
 * another step.
 */
export function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = children;
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst = false;
  }, [children]);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
