import type { StageName } from "../../stages/stages.ts";
import type { Target } from "../operator/target.ts";
import type { Caller } from "./caller.ts";
import type { SmokeFixture } from "./smokeFixture.ts";

/** Something of which a stage was asked. */
export interface Finding {
  what: string;
  expected: string;
  seen: string;
}

/** A stage that is tried, and what was made there for that. */
export interface Tried {
  stage: StageName;
  target: Target;
  /** Calls with the credential of the service provider that was made. */
  api: Caller;
  own: SmokeFixture;
  /** Aborted when the person at the terminal wants to end. */
  signal: AbortSignal;
}

/** What one check has found so far. */
export class Trial {
  readonly tried: Tried;
  /** Where what was seen is not what the specification says. */
  readonly differences: Finding[] = [];
  /** What was measured. */
  readonly notes: string[] = [];

  constructor(tried: Tried) {
    this.tried = tried;
  }

  /** Two values that are to be the same, shown as JSON where they are no texts. */
  equal(what: string, expected: unknown, seen: unknown): void {
    const [wanted, found] = [expected, seen].map((value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    );
    this.holds(what, wanted ?? "nothing", wanted === found, found ?? "nothing");
  }

  /** Something that is to hold of what was seen. @param expected says it */
  holds(what: string, expected: string, holds: boolean, seen: unknown): void {
    if (!holds) this.differences.push({ what, expected, seen: String(seen) });
  }

  note(text: string): void {
    this.notes.push(text);
  }
}

/** One thing that is tried; it depends on no other. */
export interface Check {
  name: string;
  /** The page of docs/ that says how it is to be. */
  page: string;
  /** Whether it works without a service provider of its own, and so without access to what the stage stores. */
  canRunWithoutData?: true;
  /** Why a stage does not have it; undefined where it does. */
  skipReason?(tried: Tried): string | undefined;
  /** @throws Error when there is no answer, which is a difference, too */
  run(trial: Trial): Promise<void>;
}
