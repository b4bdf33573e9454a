import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..");
const programs = join(root, "infra", "local");

/** A program of infra/local that was started as npm does it, and its output so far. */
export interface StartedProcess {
  child: ChildProcess;
  out: string;
  err: string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a program of infra/local (or another one, by its absolute path), and kills it if the test ends first. */
export function startProgram(program: string, parameters: string[], environment = {}): StartedProcess {
  const child = spawn(process.execPath, [resolve(programs, program), ...parameters], {
    cwd: root,
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: undefined, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const started: StartedProcess = {
    child,
    out: "",
    err: "",
    ended: once(child, "close").then(([code, signal]) => ({ code, signal })),
  };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    started.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    started.err += text;
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return started;
}

/** Waits until the program has printed a text, for at most the time of a first start. */
export async function printed(started: StartedProcess, text: string): Promise<void> {
  await expect.poll(() => started.out, { timeout: 240_000, interval: 20 }).toContain(text);
}

/** The process id of the engine that a stage has recorded in its data directory; undefined before that. */
export function enginePid(data: string): number | undefined {
  const lock = join(data, "stage.lock");
  return existsSync(lock) ? JSON.parse(readFileSync(lock, "utf8")).engine?.pid : undefined;
}

export function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
