import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { nodeOptions } from "../../infra/constructs/nodeOptions.ts";

/** How a process ended, and what it printed. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
}

/**
 * Runs a program of the tests in a process of its own, with the functions' settings of Node, on the table and the services
 * of this test file.
 *
 * @param program its file
 * @param input given to it as JSON on its standard input
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
