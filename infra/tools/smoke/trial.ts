import type { StageName } from "../../stages/stages.ts";
import type { Target } from "../operator/target.ts";
import type { Caller } from "./caller.ts";
import type { SmokeFixture } from "./smokeFixture.ts";

/** One expectation and the actual result. */
export interface Finding {
  what: string;
  expected: string;
  seen: string;
}

/** A stage under test, and the fixture on it. */
export interface Tried {
  stage: StageName;
  target: Target;
  /** Calls with the credential of the fixture's service provider. */
  api: Caller;
  own: SmokeFixture;
  /** Aborted when the person at the terminal interrupts. */
  signal: AbortSignal;
}

/** The results of one check so far. */
export class Trial {
  readonly tried: Tried;
  /** Results that differ from the specification. */
  readonly differences: Finding[] = [];
  /** Measurements. */
  readonly notes: string[] = [];

  constructor(tried: Tried) {
    this.tried = tried;
  }

  /** Expects two equal values. Shows values other than strings as JSON. */
  equal(what: string, expected: unknown, seen: unknown): void {
    const [wanted, found] = [expected, seen].map((value) =>
      typeof value === "string" ? value : JSON.stringify(value),
    );
    this.holds(what, wanted ?? "nothing", wanted === found, found ?? "nothing");
  }

  /** Expects a condition on a value to be true. @param expected the condition in words */
  holds(what: string, expected: string, holds: boolean, seen: unknown): void {
    if (!holds) this.differences.push({ what, expected, seen: String(seen) });
  }

  note(text: string): void {
    this.notes.push(text);
  }
}

/** A check, independent of all others. */
export interface Check {
  name: string;
  /** The page of docs/ that specifies the behavior. */
  page: string;
  /** Whether the check needs no service provider of its own, and therefore no access to the stage's data. */
  canRunWithoutData?: true;
  /** The reason to skip the check on a stage; undefined if the check runs. */
  skipReason?(tried: Tried): string | undefined;
  /** @throws Error if there is no answer, which also counts as a difference */
  run(trial: Trial): Promise<void>;
}
