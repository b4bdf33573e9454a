import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that can be told from a later one with the same id: by when it began and by its command line. */
export interface ProcessIdentity {
  pid: number;
  identity: string;
}

/** The mark of a process that runs now; undefined when there is none with this id. */
export function identifyProcess(pid: number, platform = process.platform): ProcessIdentity | undefined {
  const identity = platform === "linux" ? fromProc(pid) : outputOf(...listing(pid, platform));
  return identity ? { pid, identity } : undefined;
}

/** Whether the marked process still runs. */
export function isRunning(mark: ProcessIdentity): boolean {
  return identifyProcess(mark.pid)?.identity === mark.identity;
}

/** Ends the marked process, and only that one: SIGTERM, after three seconds SIGKILL. */
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

/** Start in clock ticks since boot (the 22nd value of stat, the 20th after the command in brackets), and command line. */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    // The command line of a process that has ended, but was not waited for, is empty.
    return commandLine && `${started} ${commandLine}`;
  } catch {
    return undefined;
  }
}

/** What prints when a process began and its command line, and nothing when there is no such process. */
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
