import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FunctionHost } from "./functionHost.ts";

/** The functions that a schedule runs on AWS, besides replication. */
const scheduled = ["documents/sweeper", "invitations/sweeper"];

/** Stands in for the schedules: runs their functions every minute until the signal. A failure is theirs to log. */
export async function runSchedule(host: FunctionHost, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.allSettled(scheduled.map((file) => host.invoke(file, {}, randomUUID())));
    await sleep(60_000, undefined, { signal }).catch(() => undefined);
  }
}
