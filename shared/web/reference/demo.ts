import { readFileSync } from "node:fs";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { headerOf } from "../../http/headers.ts";

/** Names by which only this machine reaches itself. */
const thisMachine = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/**
 * What the reference page fills itself with on the local stage, as JSON: the demo's ids and credentials, of the file that
 * DEMO_FILE names. Empty on every other stage, and for a page of another origin that reads this one: it is told nothing,
 * also where it has made its name lead to this machine.
 */
export function demoFor(event: APIGatewayProxyEvent): string {
  const file = process.env.DEMO_FILE;
  const isOwn = headerOf(event, "origin") === undefined && thisMachine.test(headerOf(event, "host") ?? "");
  if (!file || !isOwn) return "";
  const { service_provider, crbs } = JSON.parse(readFileSync(file, "utf8"));
  return JSON.stringify({ ...service_provider, crbs });
}
