import { setTimeout as sleep } from "node:timers/promises";
import { CloudWatchClient, DescribeAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import { startProgressBar } from "../../cli/progressBar.ts";
import type { Terminal } from "../../cli/runProgram.ts";

/** Seconds between two checks of the alarm. CloudWatch evaluates the metrics once a minute. */
const lookEvery = 10;

/** The result of watching the alarm: good, or the reason to roll back. */
export type Verdict = { good: true } | { good: false; why: string };

export class WatchedAlarm implements Disposable {
  readonly #client: CloudWatchClient;
  readonly name: string;

  constructor(name: string, region: string) {
    this.name = name;
    this.#client = new CloudWatchClient({ region });
  }

  /** Whether the alarm rings. @throws Error when CloudWatch rejects the call or has no such alarm */
  async rings(): Promise<boolean> {
    const { MetricAlarms: [alarm] = [] } = await this.#client.send(
      new DescribeAlarmsCommand({ AlarmNames: [this.name] }),
    );
    if (!alarm) throw new Error(`CloudWatch has no alarm ${this.name}`);
    return alarm.StateValue === "ALARM";
  }

  /**
   * Watches the alarm for some minutes. If a check of the alarm fails, the result is bad: without the alarm, a failing
   * release would not be rolled back.
   *
   * @param signal ends the watch early
   */
  async watch(minutes: number, { stdout }: Terminal, signal: AbortSignal): Promise<Verdict> {
    const total = minutes * 60;
    const progress = (left: number) => ({ done: total - left, total, text: `${Math.ceil(left)} s left of ${total} s` });
    const bar = startProgressBar(stdout, progress(total), { isCleared: true });
    try {
      const end = Date.now() + minutes * 60_000;
      for (let left = total; left > 0; left = (end - Date.now()) / 1_000) {
        if (await this.rings()) return { good: false, why: `the alarm ${this.name} rings` };
        bar.show(progress(left));
        await sleep(Math.min(lookEvery, left) * 1_000, undefined, { signal });
      }
      return (await this.rings()) ? { good: false, why: `the alarm ${this.name} rings` } : { good: true };
    } catch (error) {
      const { name, message } = error as Error;
      return {
        good: false,
        why: signal.aborted ? "the deployment was interrupted" : `the alarm cannot be read: ${name}: ${message}`,
      };
    } finally {
      bar.stop();
    }
  }

  [Symbol.dispose](): void {
    this.#client.destroy();
  }
}
