import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Identifies a process by its id, start time and command line, since a later process may reuse the id. */
export interface ProcessIdentity {
  pid: number;
  identity: string;
}

/** Identifies a running process; undefined if no process has this id. */
export function identifyProcess(pid: number, platform = process.platform): ProcessIdentity | undefined {
  const identity = platform === "linux" ? fromProc(pid) : outputOf(...listing(pid, platform));
  return identity ? { pid, identity } : undefined;
}

/** Whether the identified process still runs. */
export function isRunning(mark: ProcessIdentity): boolean {
  return identifyProcess(mark.pid)?.identity === mark.identity;
}

/** Ends the identified process, and no other: SIGTERM, then SIGKILL after three seconds. */
export async function endProcess(mark: ProcessIdentity): Promise<void> {
  const retryOptions = Date.now() + 3_000;
  let signal: NodeJS.Signals = "SIGTERM";
  while (isRunning(mark)) {
    if (Date.now() > retryOptions) signal = "SIGKILL";
    try {
      process.kill(mark.pid, signal);
    } catch {
      return;
    }
    await sleep(20);
  }
}

/**
 * The start time in clock ticks since boot (the 22nd value of stat, the 20th after the command in brackets) and the command
 * line.
 */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    // A zombie process has an empty command line.
    return commandLine && `${started} ${commandLine}`;
  } catch {
    return undefined;
  }
}

/** The command that prints a process's start time and command line, or nothing if there is no such process. */
function listing(pid: number, platform: NodeJS.Platform): [string, string[]] {
  if (platform !== "win32") return ["ps", ["-o", "lstart=", "-o", "command=", "-p", String(pid)]];
  const query = `Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}'`;
  const line = `${query} | Select-Object CreationDate, CommandLine | ConvertTo-Json -Compress`;
  return ["powershell", ["-NoProfile", "-NonInteractive", "-Command", line]];
}

function outputOf(program: string, parameters: readonly string[]): string | undefined {
  const { stdout } = spawnSync(program, parameters, { encoding: "utf8", windowsHide: true });
  return stdout?.trim() || undefined;
}
