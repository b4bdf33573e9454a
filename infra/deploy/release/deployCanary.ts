import { setTimeout as sleep } from "node:timers/promises";
import { CloudWatchClient, DescribeAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import { startProgressBar } from "../../cli/progressBar.ts";
import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import { apiParameters } from "../../constructs/releaseParameters.ts";
import type { Stacks } from "./stacks.ts";

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
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  // One Ctrl-C can come twice: from the terminal, and from npm, which passes it on. It must not end the program before the
  // share is taken back.
  for (const each of signals) process.on(each, interrupt);
  try {
    await stacks.setParameters(api, { [apiParameters.open]: "yes" });
    write(terminal.stdout, `Deployment ${own} gets ${percent} % of the calls for ${minutes} minutes.`);
    const fault = await alarm.watch(minutes, terminal, interrupted.signal);
    if (fault !== undefined) {
      throw new StageError(
        `Taken back: ${fault}. All calls go to deployment ${live} again; the workers were not changed.`,
      );
    }
    await promote();
  } catch (error) {
    await close(stacks, api, error as Error);
    throw error;
  } finally {
    for (const each of signals) process.off(each, interrupt);
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

/** Seconds between two checks of the alarm. CloudWatch evaluates the metrics once a minute. */
const lookEvery = 10;

/** The alarm that takes a release back. */
export class WatchedAlarm {
  readonly #client: CloudWatchClient;
  readonly #name: string;

  constructor(name: string, region: string) {
    this.#name = name;
    this.#client = new CloudWatchClient({ region });
  }

  /** @throws StageError while the alarm rings, since a ringing alarm cannot show whether the next release fails */
  async rejectWhileRinging(): Promise<void> {
    if (!(await this.#rings())) return;
    throw new StageError(
      `The alarm ${this.#name} already rings, so it cannot show whether this release fails. Fix its cause first; ` +
        "if this release is the fix, deploy it with --at-once.",
    );
  }

  /** @throws Error when CloudWatch rejects the call or has no such alarm */
  async #rings(): Promise<boolean> {
    const { MetricAlarms: [alarm] = [] } = await this.#client.send(
      new DescribeAlarmsCommand({ AlarmNames: [this.#name] }),
    );
    if (!alarm) throw new Error(`CloudWatch has no alarm ${this.#name}`);
    return alarm.StateValue === "ALARM";
  }

  /**
   * Watches the alarm for some minutes. A failed check of the alarm is a reason to roll back, too: without the alarm, a
   * failing release would not be rolled back.
   *
   * @returns the reason to roll back; undefined if the alarm stays quiet
   */
  async watch(minutes: number, { stdout }: Terminal, signal: AbortSignal): Promise<string | undefined> {
    const total = minutes * 60;
    const progress = (left: number) => ({ done: total - left, total, text: `${Math.ceil(left)} s left of ${total} s` });
    using bar = startProgressBar(stdout, progress(total), { isCleared: true });
    try {
      const end = Date.now() + total * 1_000;
      for (let left = total; ; left = Math.max(0, (end - Date.now()) / 1_000)) {
        if (await this.#rings()) return `the alarm ${this.#name} rings`;
        if (left === 0) return undefined;
        bar.show(progress(left));
        await sleep(Math.min(lookEvery, left) * 1_000, undefined, { signal });
      }
    } catch (error) {
      const { name, message } = error as Error;
      return signal.aborted ? "the deployment was interrupted" : `the alarm cannot be read: ${name}: ${message}`;
    }
  }
}
