import { expect } from "vitest";
import { requestEvent, type TestRequest } from "../requestEvent.ts";
import type { CrashingCall } from "./crashingProcess.ts";
import { runChild } from "./runChild.ts";

/**
 * Makes a call in a process that the system kills (SIGKILL) right after the given number of writes, and checks that it was
 * killed.
 */
export async function crashingAfter(writes: number, handler: string, request: TestRequest): Promise<void> {
  const call: CrashingCall = { handler, event: requestEvent(request), writes };
  expect(await runChild(new URL("./crashingProcess.ts", import.meta.url), call)).toEqual({
    code: null,
    signal: "SIGKILL",
    out: "",
  });
}

/**
 * Makes a call in a process that is not killed.
 * @returns the number of its writes
 */
export async function writesOf(handler: string, request: TestRequest): Promise<number> {
  const call: CrashingCall = { handler, event: requestEvent(request), writes: 0 };
  const { code, out } = await runChild(new URL("./crashingProcess.ts", import.meta.url), call);
  const { status, writes } = JSON.parse(out);
  expect([code, status]).toEqual([0, 200]);
  return writes;
}
