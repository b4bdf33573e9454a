import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { nodeOptions } from "../../infra/constructs/nodeOptions.ts";

/** The end of a process, and its output. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
}

/**
 * Runs a program of the tests in a separate process, with the Node settings of the functions, and with the table and services
 * of this test file.
 * @param program its file
 * @param input sent as JSON on its stdin
 */
export async function runChild(program: URL, input: object): Promise<Ended> {
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env: { ...process.env, NODE_OPTIONS: nodeOptions("replication") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(input));
  const [out, [code, signal]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, signal, out };
}
