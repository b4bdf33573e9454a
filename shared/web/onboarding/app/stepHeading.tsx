import { useEffect, useRef } from "preact/hooks";

let isFirst = true;

/** Takes the focus to the heading of the step, when what had it is gone. */
export const focusHeading = (): void => document.querySelector<HTMLElement>("h2")?.focus();

/** The heading of a step: it takes the focus when the visitor has come from another step, and names the tab. */
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
