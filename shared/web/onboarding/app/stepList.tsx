import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { type StepName, stepsOf } from "./steps.ts";

/** Links to the steps, with their progress. */
export function StepList({ present, onboarding }: { present: StepName; onboarding: Onboarding }) {
  return (
    <nav aria-label="Steps">
      <ol class="steps">
        {stepsOf(onboarding).map(({ name, title, isDone }, index) => (
          <li key={name} class={isDone ? "done" : undefined}>
            <a href={`#${name}`} aria-current={name === present ? "step" : undefined}>
              <span class="mark" aria-hidden="true">
                {isDone ? "✓" : index + 1}
              </span>
              <span>
                {title}
                {isDone && <span class="unseen"> (done)</span>}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
