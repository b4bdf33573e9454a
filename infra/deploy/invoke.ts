import { randomUUID } from "node:crypto";
import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { apiGatewayEvent } from "../local/event.ts";
import type { DeployedRoute } from "./listGatewayFunctions.ts";

/** A function, and what it is called with. */
export interface Invocation {
  name: string;
  /** The latest code when absent. */
  version?: string | undefined;
  event: object;
}

/** What came of an invocation. */
interface Invoked {
  /** The beginning of what the function returned, where it crashed or responded with 5xx. */
  failure?: string;
  /** What Lambda reports, where it does; milliseconds. */
  report?: { duration: number; init?: number };
}

/** Calls a function by itself, past the gateway. @throws Error when Lambda does not start it */
export async function invoke(client: LambdaClient, { name, version, event }: Invocation): Promise<Invoked> {
  const command = new InvokeCommand({
    FunctionName: name,
    ...(version !== undefined && { Qualifier: version }),
    Payload: JSON.stringify(event),
    LogType: "Tail",
  });
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

/** An event of the gateway for a route, without a credential. */
export function requestWithoutCredential({ method, path }: DeployedRoute): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return apiGatewayEvent(
    {
      method,
      url: path,
      httpVersion: "1.1",
      rawHeaders: ["User-Agent", "smoke"],
      headers: { "user-agent": "smoke" },
      socket: { remoteAddress: "127.0.0.1" },
    },
    { route: { path }, parameters: Object.fromEntries(names.map((name) => [name, "none"])) },
    Buffer.alloc(0),
    randomUUID(),
  );
}
