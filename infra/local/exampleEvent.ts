import type { APIGatewayProxyEvent } from "aws-lambda";
import type { Operation, RequestExample, Route } from "../../shared/api/operation.ts";
import { hasSecret } from "../../shared/api/secrecy.ts";
import { apiGatewayEvent } from "./event.ts";
import { demoMetrcAccess } from "./metrc/demoMetrcAccess.ts";

/**
 * Builds the sample event of a route: an example request as API Gateway would pass it on. Ids and the credential are
 * placeholders such as `{crb_id}` and `{api_key}` (see `fillSampleEvent`).
 */
export function exampleEvent(operation: Operation, route: Route): APIGatewayProxyEvent {
  const { path: examplePath = {}, query, body: example } = exampleOf(operation);
  // The licenses of the examples are not in the registers of a stage, and its CRBs have other deposits and counts.
  const { license_id: _, deposit_id: __, date: ___, license_number: ____, ...path } = examplePath;
  const body = example && {
    ...example,
    // These values depend on stage and time: each stage has its own version of the terms, and a replay must start at a
    // recent time.
    ...("user_key" in example && { user_key: demoMetrcAccess.userKey }),
    ...("terms_version" in example && { terms_version: "{terms_version}" }),
    ...("from" in example && !("to" in example) && { from: "{hour_ago}" }),
  };
  const search = new URLSearchParams(query).toString();
  const headers = {
    Accept: "application/json",
    ...(route.caller !== "nobody" && { Authorization: "{api_key}" }),
    ...(body && { "Content-Type": "application/json" }),
    "User-Agent": "sample event",
  };
  const address = route.path.replace(/\{(\w+)\}/g, (placeholder, name) => path[name] ?? placeholder);
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return apiGatewayEvent(
    {
      method: route.method,
      url: search ? `${address}?${search}` : address,
      httpVersion: "1.1",
      rawHeaders: Object.entries(headers).flat(),
      headers: { "user-agent": headers["User-Agent"] },
      socket: { remoteAddress: "127.0.0.1" },
    },
    { route, parameters: Object.fromEntries(names.map((name) => [name, path[name] ?? `{${name}}`])) },
    Buffer.from(body ? JSON.stringify(body) : ""),
    "00000000-0000-4000-8000-000000000000",
    new Date("2026-03-02T19:45:12.000Z"),
  );
}

/** Prefers an example without a secret, since the secrets in examples are not valid. */
function exampleOf({ requests = {} }: Operation): Partial<RequestExample> {
  const examples = Object.values(requests);
  return examples.find(({ body }) => !hasSecret(body)) ?? examples[0] ?? {};
}
