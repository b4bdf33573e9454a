import { randomUUID } from "node:crypto";
import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { apiGatewayEvent } from "../local/event.ts";
import type { DeployedRoute } from "./listGatewayFunctions.ts";

/** A function and its event. */
export interface Invocation {
  name: string;
  /** `$LATEST` when absent. */
  version?: string | undefined;
  event: object;
}

/** The result of an invocation. */
interface Invoked {
  /** The start of the returned value, after a crash or a 5xx response. */
  failure?: string;
  /** The durations in Lambda's report, if there is one; milliseconds. */
  report?: { duration: number; init?: number };
}

/** Invokes a function directly, without the gateway. @throws Error when Lambda does not start it */
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

/** A gateway event for a route, without a credential. */
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
