import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..", "..");

/** Runs a command in a pseudo-terminal. Prints its output and how it ended as JSON. */
const python = `
import fcntl, json, os, pty, signal, struct, sys, termios
size, event, command = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    os.execvp(command[0], command)
out = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    out += part
    if event and event["after"].encode() in out:
        if "type" in event:
            os.write(terminal, event["type"].encode())
        else:
            os.kill(pid, getattr(signal, event["signal"]))
        event = None
status = os.waitpid(pid, 0)[1]
killed = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else None
print(json.dumps({"out": out.decode(), "code": None if killed else os.WEXITSTATUS(status), "signal": killed}))
`;

interface TerminalRun {
  columns?: number;
  /** What happens as soon as the output contains the text `after`: keys are typed, or the process gets a signal. */
  event?: { after: string } & ({ type: string } | { signal: NodeJS.Signals });
  env?: NodeJS.ProcessEnv;
}

/** Runs a command in the project's folder in a terminal, until it ends. Needs Python 3. */
export async function inTerminal(
  command: readonly string[],
  { columns = 80, event, env }: TerminalRun = {},
): Promise<{ out: string; code: number | null; signal: NodeJS.Signals | null }> {
  const { stdout } = await promisify(execFile)(
    "python3",
    ["-c", python, JSON.stringify([[24, columns], event ?? null, command])],
    { cwd: root, env: { ...process.env, ...env }, timeout: 120_000, maxBuffer: 1e8 },
  );
  return JSON.parse(stdout);
}

/** A command that runs a script in TypeScript with this Node. */
export const script = (text: string): string[] => [process.execPath, "--input-type=module-typescript", "--eval", text];
