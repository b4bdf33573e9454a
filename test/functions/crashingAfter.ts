import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { nodeOptions } from "../../infra/constructs/nodeOptions.ts";
import { eventOf, type OperationId, type OperationRequest } from "./callHandler.ts";
import type { CrashingCall } from "./crashingProcess.ts";

const program = fileURLToPath(new URL("./crashingProcess.ts", import.meta.url));

/**
 * Calls an operation in a separate process, with the Node settings of the functions, and with the table and services of this
 * test file.
 */
async function runCall(writes: number, operationId: OperationId, request: OperationRequest) {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: nodeOptions("replication") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const call: CrashingCall = { ...eventOf(operationId, request), writes };
  child.stdin.end(JSON.stringify(call));
  const [out, [code, signal]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, signal, out };
}

/**
 * Calls an operation in a process that the system kills (SIGKILL) right after the given number of writes, and checks that it
 * was killed.
 */
export async function crashingAfter(
  writes: number,
  operationId: OperationId,
  request: OperationRequest,
): Promise<void> {
  expect(await runCall(writes, operationId, request)).toEqual({ code: null, signal: "SIGKILL", out: "" });
}

/**
 * Calls an operation in a process that is not killed.
 * @returns the number of its writes
 */
export async function writesOf(operationId: OperationId, request: OperationRequest): Promise<number> {
  const { code, out } = await runCall(0, operationId, request);
  const { status, writes } = JSON.parse(out);
  expect([code, status]).toEqual([0, 200]);
  return writes;
}
