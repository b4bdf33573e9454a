import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Milliseconds in which all file events count as one change, since an editor saves a file in several steps, and may
 * save several files at once.
 */
const settleMilliseconds = 100;

/**
 * Runs a program in a child process with the same output, and again whenever a file changes.
 *
 * @param options.onChange called with the changed file before the program runs again
 */
export async function rerun(
  program: string,
  parameters: readonly string[],
  options: { folders: readonly string[]; file: string; onChange(file: string): void; signal: AbortSignal },
): Promise<void> {
  const { signal } = options;
  let changed = Promise.withResolvers<string>();
  for (const folder of options.folders) {
    watch(folder, { recursive: true, signal }, (_, name) => changed.resolve(name ?? folder));
  }
  // Watches the folder: editors replace the file by a new one.
  watch(dirname(options.file), { signal }, (_, name) => {
    if (name === basename(options.file)) changed.resolve(name);
  });
  const aborted = once(signal, "abort").then(() => undefined);
  while (!signal.aborted) {
    changed = Promise.withResolvers();
    const child = spawn(process.execPath, [program, ...parameters], { stdio: "inherit" });
    const file = await Promise.race([changed.promise, aborted]);
    await Promise.all([end(child), sleep(settleMilliseconds)]);
    if (file !== undefined) options.onChange(file);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill();
  await exited;
}
