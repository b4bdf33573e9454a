import type { JSX } from "preact";
import type { Mark, StateWords } from "../texts.ts";

const shapes: Readonly<Record<Mark, JSX.Element>> = {
  act: (
    <>
      <path class="solid" d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" />
      <path class="cut" d="M8 4.6v4" />
      <path class="cut" d="M8 11.2v.1" />
    </>
  ),
  look: (
    <>
      <path d="M8 2 14.6 13.6H1.4z" />
      <path d="M8 6.4v3.2M8 11.6v.1" />
    </>
  ),
  wait: (
    <>
      <circle cx="8" cy="8" r="6.2" />
      <path d="M8 4.4V8l2.4 1.6" />
    </>
  ),
  good: <path d="m2.8 8.6 3.4 3.4 7-7.6" />,
  idle: <circle cx="8" cy="8" r="6" stroke-dasharray="2.4 2.4" />,
};

/** A state as a mark and words; the color repeats them. */
export function State({ of: [mark, words] }: { of: StateWords }) {
  return (
    <span class={`state ${mark === "wait" ? "look" : mark}`}>
      <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
        {shapes[mark]}
      </svg>
      {words}
    </span>
  );
}
