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
  api: string;
  alarm: WatchedAlarm;
  /** `live` is the deployment that gets all calls; `own` is the new deployment. */
  live: string;
  own: string;
  percent: number;
  minutes: number;
}

/**
 * @throws StageError while the release alarm rings, since a ringing alarm cannot show whether the next release fails
 */
export async function rejectWhileRinging(alarm: WatchedAlarm): Promise<void> {
  if (!(await alarm.rings())) return;
  throw new StageError(
    `The alarm ${alarm.name} already rings, so it cannot show whether this release fails. Fix its cause first; ` +
      "if this release is the fix, deploy it with --at-once.",
  );
}

/**
 * Sends a share of the calls to a deployment, watches the alarm, and promotes the deployment if the alarm stays quiet.
 * After any failure or signal, the function takes the share back before it ends.
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
    write(terminal.stdout, `Deployment ${own} gets ${percent} % of the calls for ${minutes} minutes.`);
    const verdict = await alarm.watch(minutes, terminal, interrupted.signal);
    if (!verdict.good) {
      throw new StageError(
        `Taken back: ${verdict.why}. All calls go to deployment ${live} again; the workers were not changed.`,
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
      `The release failed (${why.message}), and its canary may still get calls: ${(error as Error).message} ` +
        "Run npm run rollback to end the canary.",
    );
  }
}
