/** A step of a task. */
interface Step {
  title: string;
  isDone: boolean;
  isPresent: boolean;
  /** The address of the step, if the visitor can go to it. */
  href?: string;
}

/** The steps of a task, with their progress. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol class="steps">
      {steps.map(({ title, isDone, isPresent, href }, index) => {
        const current = isPresent ? "step" : undefined;
        const words = (
          <>
            <span class="mark" aria-hidden="true">
              {isDone ? "✓" : index + 1}
            </span>
            <span>
              {title}
              {isDone && <span class="unseen"> (done)</span>}
            </span>
          </>
        );
        return (
          <li key={title} class={isDone ? "done" : undefined}>
            {href ? (
              <a href={href} aria-current={current}>
                {words}
              </a>
            ) : (
              <span aria-current={current}>{words}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
