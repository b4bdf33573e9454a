import { randomUUID } from "node:crypto";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { catalogue } from "../../../shared/api/catalogue.ts";
import { pages } from "../../../shared/pages/pages.ts";
import { apiGatewayEvent } from "../../local/event.ts";
import { stageFunctions } from "../../stageFunctions.ts";
import type { Check, Trial } from "../trial.ts";

/** Milliseconds that a first call may take: above them is what the alarm "latency" tells of. */
const coldBar = 3_000;

/** Functions that are tried at once. */
const atOnce = 5;

/** Every function of the stage: called by itself, until a new instance of it has answered and one that was there. */
export const functions: Check = {
  name: "functions, cold and warm",
  section: "1, 12",
  leftOut: ({ target }) =>
    target.local ? "the functions of a local stage share threads, which are never cold" : undefined,
  async run(trial) {
    const client = new LambdaClient({});
    try {
      const found: { FunctionName: string; Description?: string | undefined }[] = [];
      for await (const each of stageFunctions(client, trial.tried.stage)) found.push(each);
      const expected = new Set([...catalogue, ...pages].map(({ handler }) => `functions/${handler}.ts`));
      const there = new Set(found.map(({ Description = "" }) => Description));
      trial.equal("operations and pages without a function", [], [...expected.difference(there)]);
      const times: Times[] = [];
      const left = [...found];
      const work = async () => {
        for (let each = left.pop(); each; each = left.pop()) times.push(await tryFunction(client, trial, each));
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      trial.note(`${found.length} functions`);
      noteTimes(
        trial,
        "cold",
        times.flatMap(({ cold }) => cold ?? []),
      );
      noteTimes(
        trial,
        "warm",
        times.flatMap(({ warm }) => warm ?? []),
      );
      if (!times.some(({ isTold }) => isTold)) trial.note("which calls were cold is not told here");
    } finally {
      client.destroy();
    }
  },
};

function noteTimes(trial: Trial, which: string, times: readonly number[]): void {
  if (times.length > 0) trial.note(`${times.length} ${which} in ${Math.min(...times)} to ${Math.max(...times)} ms`);
}

/** Milliseconds of a call with a new instance, and of one with an instance that was there; whether the platform tells. */
interface Times {
  cold?: number;
  warm?: number;
  isTold: boolean;
}

async function tryFunction(
  client: LambdaClient,
  trial: Trial,
  { FunctionName, Description = "" }: { FunctionName: string; Description?: string | undefined },
): Promise<Times> {
  const times: Times = { isTold: false };
  // As many at once as it takes for one to find no instance that is free.
  for (let calls = 1; calls <= 5 && (times.cold === undefined || times.warm === undefined); calls++) {
    const all = Array.from({ length: calls }, () => call(client, FunctionName, Description));
    const made = await Promise.all(all).catch((error: Error) => error);
    if (made instanceof Error) {
      trial.holds(Description, "an answer", false, `${made.name}: ${made.message}`);
      return times;
    }
    const failed = made.find(({ failure }) => failure !== undefined);
    if (failed) {
      trial.holds(Description, "an answer", false, failed.failure);
      return times;
    }
    for (const { report } of made) {
      if (!report) continue;
      times.isTold = true;
      times[report.init === undefined ? "warm" : "cold"] ??= Math.round(report.duration + (report.init ?? 0));
    }
    if (!times.isTold && calls === 2) return times;
  }
  trial.holds(
    `${Description}: a new instance`,
    `an answer within ${coldBar} ms`,
    (times.cold ?? 0) <= coldBar,
    times.cold,
  );
  const none = times.cold === undefined ? "no new one" : "none that was there";
  const both = times.cold !== undefined && times.warm !== undefined;
  trial.holds(`${Description}: instances`, "a new one and one that was there", both, none);
  return times;
}

interface Called {
  failure?: string;
  /** What Lambda reports, where it does; milliseconds. */
  report?: { duration: number; init?: number };
}

async function call(client: LambdaClient, FunctionName: string, description: string): Promise<Called> {
  const Payload = JSON.stringify(eventOf(description));
  const command = new InvokeCommand({ FunctionName, Payload, LogType: "Tail" });
  const { FunctionError, Payload: payload, LogResult = "" } = await client.send(command);
  const answer = Buffer.from(payload ?? []).toString();
  const status = Number(/"statusCode":(\d+)/.exec(answer)?.[1] ?? 200);
  const [line = ""] =
    /^REPORT .*$|^.*"type":\s*"platform\.report".*$/m.exec(Buffer.from(LogResult, "base64").toString()) ?? [];
  const duration = number(line, /\tDuration: ([\d.]+) ms/) ?? number(line, /"durationMs":\s*([\d.]+)/);
  const init = number(line, /Init Duration: ([\d.]+) ms/) ?? number(line, /"initDurationMs":\s*([\d.]+)/);
  return {
    ...((FunctionError || status >= 500) && { failure: answer.slice(0, 200) }),
    ...(duration !== undefined && { report: { duration, ...(init !== undefined && { init }) } }),
  };
}

const number = (text: string, pattern: RegExp): number | undefined => {
  const [, found] = pattern.exec(text) ?? [];
  return found === undefined ? undefined : Number(found);
};

/** A request without a credential; for a function that nobody calls, a queue without a message, or the time. */
function eventOf(description: string): object {
  const handler = description.replace(/^functions\/|\.ts$/g, "");
  const operation = catalogue.find((each) => each.handler === handler);
  const [route = pages.find((each) => each.handler === handler)] = operation?.routes ?? [];
  if (!route) return { Records: [] };
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return apiGatewayEvent(
    {
      method: route.method,
      url: route.path,
      httpVersion: "1.1",
      rawHeaders: ["User-Agent", "smoke"],
      headers: { "user-agent": "smoke" },
      socket: { remoteAddress: "127.0.0.1" },
    },
    { route, parameters: Object.fromEntries(names.map((name) => [name, "none"])) },
    Buffer.alloc(0),
    randomUUID(),
  );
}
