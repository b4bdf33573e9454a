import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import { apiParameters } from "../../constructs/releaseParameters.ts";
import { interruption } from "./interruption.ts";
import type { Stacks } from "./stacks.ts";
import type { WatchedAlarm } from "./watch.ts";

/** A deployment that gets a share of the calls. */
interface Canary {
  stacks: Stacks;
  /** The name of the API's stack. */
  api: string;
  alarm: WatchedAlarm;
  /** The deployment that has all calls, and the one that is to get them. */
  live: string;
  own: string;
  percent: number;
  minutes: number;
}

/** @throws StageError while the alarm of a release rings: it could not tell whether the next one fails */
export async function rejectWhileRinging(alarm: WatchedAlarm): Promise<void> {
  if (!(await alarm.rings())) return;
  throw new StageError(
    `The alarm ${alarm.name} rings already, so that nobody could tell whether this release fails. Fix that first, ` +
      "or deploy with --at-once what is to fix it.",
  );
}

/**
 * Gives a deployment its share of the calls, watches the alarm, and has it promoted where that has not rung. Whatever comes
 * between, the share is taken back before this ends, also when the program is told to end.
 *
 * @throws StageError when the deployment was not promoted
 */
export async function deployCanary(
  { stacks, api, alarm, live, own, percent, minutes }: Canary,
  promote: () => Promise<void>,
  terminal: Terminal,
): Promise<void> {
  using interrupted = interruption();
  try {
    await stacks.setParameters(api, { [apiParameters.open]: "yes" });
    write(terminal.stdout, `Deployment ${own} has ${percent} % of the calls for ${minutes} minutes.`);
    const verdict = await alarm.watch(minutes, terminal, interrupted.signal);
    if (!verdict.good) {
      throw new StageError(
        `Taken back: ${verdict.why}. All calls go to deployment ${live} as before, and the workers are as they were.`,
      );
    }
    await promote();
  } catch (error) {
    await close(stacks, api, error as Error);
    throw error;
  }
}

async function close(stacks: Stacks, api: string, why: Error): Promise<void> {
  try {
    await stacks.setParameters(api, { [apiParameters.open]: "no" });
  } catch (error) {
    throw new StageError(
      `The release failed (${why.message}), and its canary is perhaps still open: ${(error as Error).message} ` +
        "npm run rollback closes it.",
    );
  }
}
