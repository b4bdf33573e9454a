import { enableCompileCache } from "node:module";
import { relative } from "node:path";
import { styleText } from "node:util";
import { exampleIds } from "../../shared/api/operations/examples.ts";
import { runCommander } from "../cli/program.ts";
import { StageError } from "../cli/stageError.ts";
import { write } from "../cli/terminalOutput.ts";
import { shellWord } from "../stages/outputs.ts";
import { curlLine } from "./curlLine.ts";
import { filesIn } from "./environment.ts";
import type { Gateway } from "./server.ts";
import type { Stage } from "./stage.ts";
import { type StartOptions, startCommand } from "./startOptions.ts";

const interrupted = new AbortController();

async function start(options: StartOptions): Promise<void> {
  const reported = (options.verbose || process.stdout.isTTY) && { report };
  await (options.stage === "mock" ? runMock(options, reported) : runLocal(options, reported));
}

/** Imports each stage on demand: the mock stage starts without loading the SDK and the engine. */
async function runLocal(options: StartOptions, reported: Reported): Promise<void> {
  const began = performance.now();
  print(`Starting the local stage in ${shortPath(options.data)} ...\n`);
  const { startStage } = await import("./stage.ts");
  const elapsed = () => performance.now() - began;
  const stage = await startStage({
    ...options,
    ...reported,
    signal: interrupted.signal,
    onProgress: {
      answers: (...description) => print(readyText(...description, elapsed())),
      firstPage: (description) => print(callText(description, options.data)),
      business: (name, counts) => print(`  ${name}: ${counts.join(", ")}\n`),
    },
  });
  print(`All demo data is there after ${seconds(elapsed())}.\n`);
  const failure = await Promise.race([stage.failed, interruption()]);
  await stage.stop();
  if (failure) throw new StageError(failure);
}

async function runMock({ port, limits }: StartOptions, reported: Reported): Promise<void> {
  const { startMockStage } = await import("./mockStage.ts");
  const stage = await startMockStage({ port, limits, ...reported });
  // Measured from the start of the process: the whole wait of a caller.
  print(mockReadyText(stage.baseUrl, performance.now()));
  await interruption();
  await stage.stop();
}

async function interruption(): Promise<undefined> {
  const { signal } = interrupted;
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

const title = (text: string) => styleText("bold", text, { stream: process.stdout });

const print = (text: string) => void process.stdout.write(text);

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Printed when the stage answers calls. */
const readyLine = (baseUrl: string, milliseconds: number) => `Ready after ${seconds(milliseconds)}: ${title(baseUrl)}`;

function mockReadyText(baseUrl: string, milliseconds: number): string {
  return [
    readyLine(baseUrl, milliseconds),
    "",
    "Every call with any Authorization header returns the example of the API's description:",
    "",
    curlLine("anything", `${baseUrl}/crbs/${exampleIds.crb}/customers`),
    "",
    "Ctrl-C stops the stage.",
    "",
  ].join("\n");
}

const readyText = ({ base_url, console_url }: Stage["description"], filling: boolean, milliseconds: number) =>
  [
    `Console of a bank's staff: ${title(console_url)}. Sign in as a viewer, a reviewer or an administrator, without a password.`,
    readyLine(base_url, milliseconds),
    `Guides and operations, with a form to try them: ${base_url}/docs`,
    ...(filling ? ["The stage is still creating the demo records: lists grow until all are there."] : []),
    "",
  ].join("\n");

function callText({ base_url, crbs, ...description }: Stage["description"], data: string): string {
  const { mail_url, webhooks_url, invitation, service_provider } = description;
  const [first] = crbs;
  const url = `${base_url}/crbs/${first?.crb_id}/customers?limit=1`;
  const credentials = (id: string, { client_id, client_secret }: { client_id: string; client_secret: string }) =>
    [`    ${id}`, `    client_id      ${client_id}`, `    client_secret  ${client_secret}`, ""].join("\n");
  return [
    "",
    "Call it:",
    "",
    curlLine(first?.client_secret, url),
    "",
    `  ${title("Service provider")}`,
    credentials(`sp_id          ${service_provider.sp_id}`, service_provider),
    ...crbs.flatMap((crb) => [
      `  ${title(crb.name)} (${crb.business_type}, ${crb.pos_type ?? "invited, no POS connected yet"})`,
      credentials(`crb_id         ${crb.crb_id}`, crb),
    ]),
    "To run the samples of the guides in a second terminal, set these values there:",
    "",
    `set -a; . ${shellWord(filesIn(data).callerVariables)}; set +a`,
    "",
    `The same as JSON: ${shortPath(filesIn(data).description)}.`,
    `Mail that the service sends: ${mail_url}, webhooks: ${webhooks_url}`,
    "",
    `To try onboarding, open ${mail_url}, and the link in the invitation of ${invitation.email}.`,
    "Choose a POS. Enter testing as the user name and as the location, and valid-password as the password.",
    "A POS with a key instead of a password accepts any key.",
    "",
    "Ctrl-C stops the stage.",
    "",
  ].join("\n");
}

type Reported = false | { report: Gateway["report"] };

/** Prints one line per call, without the query, which may contain names of people. */
const report: Gateway["report"] = ({ method, path, status, milliseconds, failure }) => {
  const time = new Date().toTimeString().slice(0, 8);
  const style = status >= 500 ? "red" : status >= 400 ? "yellow" : "green";
  const called = `${time} ${method} ${path.slice(0, 200)} `;
  write(process.stdout, [called, { style, text: String(status) }, ` ${milliseconds.toFixed(0)} ms`]);
  if (failure) process.stderr.write(`${failure instanceof Error ? failure.stack : String(failure)}\n`);
};

function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short || ".";
}

// The compile cache is in the directory for temporary files. The cache halves the time of the next start.
enableCompileCache();

// The reader of the output may have ended, as in `npm start | head`. The stage keeps running.
process.stdout.on("error", () => undefined);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupted.abort());

try {
  await runCommander(startCommand(start), process.argv.slice(2), process);
} catch (error) {
  if (!interrupted.signal.aborted) {
    const line = error instanceof StageError ? error.message : (error as Error).stack;
    process.stderr.write(`${line}\n`);
    process.exitCode = 1;
  }
}
process.exit();
