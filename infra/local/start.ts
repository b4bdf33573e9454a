import { relative } from "node:path";
import { styleText } from "node:util";
import { descriptionFile } from "./dataDirectory.ts";
import { showProgress } from "./progress.ts";
import type { Gateway } from "./server.ts";
import { type Stage, startStage } from "./stage.ts";
import { StageError } from "./stageError.ts";
import { parseStartOptions, usage } from "./startOptions.ts";

const interrupted = new AbortController();

async function start(): Promise<void> {
  const options = parseStartOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(usage);
    return;
  }
  const began = performance.now();
  process.stdout.write(`Starting the local stage in ${shortPath(options.data)} ...\n`);
  const stage = await startStage({
    ...options,
    progress: showProgress(process.stdout),
    signal: interrupted.signal,
    ...((options.verbose || process.stdout.isTTY) && { report }),
  });
  process.stdout.write(readyText(stage, options.data, performance.now() - began));
  const failure = await Promise.race([stage.failed, interruption()]);
  await stage.stop();
  if (failure) throw new StageError(failure);
}

async function interruption(): Promise<undefined> {
  const { signal } = interrupted;
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

function readyText({ description }: Stage, data: string, milliseconds: number): string {
  const { base_url, mail_url, service_provider, crbs } = description;
  const [first] = crbs;
  const url = `${base_url}/crbs/${first?.crb_id}/customers?limit=1`;
  const title = (text: string) => styleText("bold", text, { stream: process.stdout });
  const credentials = (id: string, { client_id, client_secret }: { client_id: string; client_secret: string }) =>
    [`    ${id}`, `    client_id      ${client_id}`, `    client_secret  ${client_secret}`, ""].join("\n");
  return [
    `Ready after ${(milliseconds / 1000).toFixed(1)} s: ${title(base_url)}`,
    "",
    `  ${title("Service provider")}`,
    credentials(`sp_id          ${service_provider.sp_id}`, service_provider),
    ...crbs.flatMap((crb) => [
      `  ${title(crb.name)} (${crb.business_type}, ${crb.pos_type ?? "invited, no POS connected yet"})`,
      credentials(`crb_id         ${crb.crb_id}`, crb),
    ]),
    "Call it:",
    "",
    `curl -s -H 'Authorization: ${first?.client_secret}' '${url}'`,
    "",
    `Mail that the service sends arrives at ${mail_url}`,
    "",
    `The same as JSON: ${shortPath(descriptionFile(data))}. Ctrl-C ends the stage.`,
    "",
  ].join("\n");
}

/** One line for each call; the query stays out, since it may name people. */
const report: Gateway["report"] = ({ method, path, status, milliseconds, failure }) => {
  const time = new Date().toTimeString().slice(0, 8);
  const style = status >= 500 ? "red" : status >= 400 ? "yellow" : "green";
  const shown = styleText(style, String(status), { stream: process.stdout });
  process.stdout.write(`${time} ${method} ${path.slice(0, 200)} ${shown} ${milliseconds.toFixed(0)} ms\n`);
  if (failure) process.stderr.write(`${failure instanceof Error ? failure.stack : String(failure)}\n`);
};

function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short || ".";
}

// Whoever read the output may be gone, as with `npm start | head`; that ends nothing.
process.stdout.on("error", () => undefined);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupted.abort());

try {
  await start();
} catch (error) {
  if (!interrupted.signal.aborted) {
    const line = error instanceof StageError ? error.message : (error as Error).stack;
    process.stderr.write(`${line}\n`);
    process.exitCode = 1;
  }
}
process.exit();
