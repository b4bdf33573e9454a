import type { ComponentChildren } from "preact";
import { Notice } from "../../../browser/parts.tsx";
import type { Read } from "../useRead.ts";

interface LoadedProps<Data> {
  of: Read<Data>;
  /** The part of the screen, such as `The list of businesses`. */
  name: string;
  children(data: Data): ComponentChildren;
}

/** A part of a screen: its data, or the problem with a way to try again. Other parts of the screen stay usable. */
export function Loaded<Data>({ of: { data, problem, isLoading, reload }, name, children }: LoadedProps<Data>) {
  return (
    <div aria-busy={isLoading}>
      {problem && (
        <Notice kind="problem">
          <h2>{name} could not be loaded</h2>
          <p>{problem}</p>
          <button type="button" onClick={reload} aria-disabled={isLoading || undefined}>
            {isLoading ? "Loading …" : "Try again"}
          </button>
        </Notice>
      )}
      {data === undefined ? isLoading && !problem && <p class="faint">Loading …</p> : children(data)}
    </div>
  );
}
