import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { engineCommand } from "./engineCommand.ts";

/** A DynamoDB engine that answers on `endpoint`. `stop` ends only a process that this project started. */
export interface Engine {
  endpoint: string;
  /** Process id, or undefined when the engine was already running (AWS_ENDPOINT_URL_DYNAMODB). */
  pid: number | undefined;
  /** Resolves with the last output if the process ends without a call of `stop`. */
  failed: Promise<string>;
  stop(): Promise<void>;
}

interface EngineOptions {
  /** The file that stores the data. If absent, the engine keeps the data in memory. */
  dataFile?: string;
  /** Called with the process id immediately, before the engine answers. */
  spawned?(pid: number): void;
  /** Ends an engine that is still starting. */
  signal?: AbortSignal;
}

/**
 * Starts a DynamoDB engine on a free port of 127.0.0.1; `engineCommand` chooses it. With AWS_ENDPOINT_URL_DYNAMODB, uses
 * that engine and starts none.
 *
 * @throws Error with one line that says what to install, if there is no engine or it does not start
 */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const running = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (running)
    return { endpoint: running, pid: undefined, failed: new Promise(() => undefined), stop: async () => undefined };
  const port = await freePort();
  const [command, parameters] = engineCommand(port, options.dataFile);
  // With stored data, Ctrl-C must reach only the stage, since the stage must end its engine last.
  const child = spawn(command, parameters, {
    stdio: ["ignore", "ignore", "pipe"],
    detached: options.dataFile !== undefined,
    windowsHide: true,
    // DynamoDB Local leaves a file in its working directory.
    cwd: options.dataFile ? dirname(options.dataFile) : tmpdir(),
  });
  if (child.pid !== undefined) options.spawned?.(child.pid);
  // A process that a signal ends early calls no `stop`.
  const endWithProcess = () => void child.kill();
  process.once("exit", endWithProcess);
  child.once("close", () => process.off("exit", endWithProcess));
  const exited = new Promise<string>((resolve) => {
    let complaint = "";
    child.stderr.on("data", (chunk) => {
      complaint = (complaint + chunk).slice(-500);
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(complaint.trim() || `exit code ${code}`));
  });
  const failure = await Promise.race([exited, answers(port), aborted(options.signal)]);
  if (failure !== undefined) {
    await end(child);
    throw new Error(`The DynamoDB engine ${command} did not start: ${failure}`);
  }
  let stopping = false;
  const failed = new Promise<string>((resolve) => void exited.then((reason) => stopping || resolve(reason)));
  const stop = () => {
    stopping = true;
    return end(child);
  };
  return { endpoint: `http://127.0.0.1:${port}`, pid: child.pid, failed, stop };
}

async function aborted(signal: AbortSignal | undefined): Promise<string> {
  if (signal && !signal.aborted) await once(signal, "abort");
  return signal ? "stopped" : new Promise(() => undefined);
}

/**
 * Returns a free TCP port of 127.0.0.1 below the ephemeral ports. Another process could get an ephemeral port before the
 * engine listens, a second or more later.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

async function answers(port: number): Promise<string | undefined> {
  const retryOptions = AbortSignal.timeout(20_000);
  while (!retryOptions.aborted) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(socket.destroy() !== undefined));
      socket.once("error", () => resolve(false));
    });
    if (open) return undefined;
    await sleep(15);
  }
  return "no response within 20 seconds";
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const forced = setTimeout(() => child.kill("SIGKILL"), 3_000);
  await closed;
  clearTimeout(forced);
}
