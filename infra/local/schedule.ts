import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type BackgroundFunction, background } from "../stacks/background.ts";
import type { FunctionHost } from "./functionHost.ts";

/** The functions that run every minute on this machine; the planner has its own interval, and nothing is copied. */
const everyMinute = Object.entries<BackgroundFunction>(background).flatMap(([name, { handler, minutes }]) =>
  minutes === undefined || name === "ReplicationPlanner" || name === "ChangeExporter" ? [] : [handler],
);

/** Stands in for the schedules: runs their functions until the signal aborts. The functions log their failures. */
export async function runSchedule(
  host: FunctionHost,
  { planEvery }: { planEvery: number },
  signal: AbortSignal,
): Promise<void> {
  const planner = repeat(planEvery, () => host.invoke("replication/planner", {}, randomUUID()), signal);
  const others = everyMinute.map((file) => repeat(60, () => host.invoke(file, {}, randomUUID()), signal));
  await Promise.all([planner, ...others]);
}

async function repeat(seconds: number, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined);
    await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
  }
}
