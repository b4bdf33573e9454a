import { integer, newProgram, runCommander } from "../../cli/program.ts";
import { runProgram, type Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import { close } from "../../local/listen.ts";
import type { Received } from "../../local/webhooks/received.ts";
import { startReceiver } from "../../local/webhooks/receiver.ts";
import { readSecretLine } from "../operator/terminal.ts";

/** `onListening` receives the URL; `signal` ends the program. */
export interface Listening {
  signal: AbortSignal;
  onListening?: ((url: string) => void) | undefined;
}

/**
 * Starts a receiver. Prints each event with a valid signature as a line of JSON on stdout. Writes other webhooks, and how to
 * register the URL, to stderr.
 */
export async function webhooks(
  parameters: readonly string[],
  terminal: Terminal,
  { signal, onListening }: Listening,
): Promise<void> {
  const listening = newProgram(
    "listen",
    "Receives webhooks on this machine, checks their signatures, and prints one event a line. Reads the endpoint's secret (whsec_…) from the first line of stdin; a terminal shows a prompt.",
  )
    .addHelpText("after", whereFrom)
    .action(() => {
      const { port, secretEnv } = program.opts();
      return receiveAt(port, secretEnv, terminal, { signal, onListening });
    });
  const program = newProgram("npm run --silent webhooks --", "Receives webhooks.")
    .option("--port <N>", "port on 127.0.0.1; 0 chooses a free one", integer("--port", 0, 65_535), 3_999)
    .option("--secret-env <NAME>", "the environment variable with the secret, instead of stdin");
  program.addCommand(listening);
  await runCommander(program, parameters, terminal);
}

const whereFrom = `
The local stage delivers to it: register http://127.0.0.1:3999/ by
createWebhookEndpoint, whose answer shows the secret. A deployed stage delivers
to public https addresses only: register that of a tunnel that leads to this
port.`;

async function receiveAt(
  port: number,
  secretVariable: string | undefined,
  terminal: Terminal,
  { signal, onListening }: Listening,
): Promise<void> {
  const { stderr } = terminal;
  const secret = await readSecret(terminal, secretVariable);
  const { server, page: url, isRegistered } = await startReceiver(port, { onReceived: (one) => print(terminal, one) });
  isRegistered(secret);
  onListening?.(url);
  write(
    stderr,
    `Listening at ${url}. Register this address with createWebhookEndpoint of the local stage; for a deployed stage, register the address of a tunnel.`,
    "Each line is an event, and the same address shows them as a page. Ctrl-C stops the program.",
  );
  await new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", resolve, { once: true });
  });
  await close(server);
}

/** @throws StageError if the text is not an endpoint's secret; the message does not repeat the text */
async function readSecret(terminal: Terminal, variable: string | undefined): Promise<string> {
  const secret = variable === undefined ? await readSecretLine(terminal, "The secret") : process.env[variable];
  // The error does not repeat the variable's name: the user may have typed the secret instead.
  const where = variable === undefined ? "The first line of stdin" : "The environment variable of --secret-env";
  if (!secret) throw new StageError(`${where} is empty: it must be the endpoint's secret (whsec_…).`);
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
    throw new StageError(`${where} is not an endpoint's secret (whsec_…).`);
  return secret;
}

function print({ stdout, stderr }: Terminal, { fault, body, id }: Received): void {
  if (fault === null) write(stdout, inOneLine(body));
  else write(stderr, `Rejected ${id} with 400: ${fault}.`);
}

/** An event on one line, even if its text has line breaks. */
function inOneLine(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

if (import.meta.main) {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => interrupted.abort());
  const program: Parameters<typeof runProgram>[0] = (parameters, terminal) =>
    webhooks(parameters, terminal, { signal: interrupted.signal });
  process.exitCode = await runProgram(program, process.argv.slice(2), process);
}
