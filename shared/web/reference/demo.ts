import { readFileSync } from "node:fs";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { headerOf } from "../../http/headers.ts";

/** Host names that always mean this machine. */
const thisMachine = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/**
 * The demo's ids and credentials as JSON, for the reference page on the local stage. They come from the file DEMO_FILE.
 * Empty on every other stage, and for requests from a page of another origin, even if its host name resolves to this
 * machine (DNS rebinding).
 */
export function demoFor(event: APIGatewayProxyEvent): string {
  const file = process.env.DEMO_FILE;
  const isOwn = headerOf(event, "origin") === undefined && thisMachine.test(headerOf(event, "host") ?? "");
  if (!file || !isOwn) return "";
  const { service_provider, crbs, invitation } = JSON.parse(readFileSync(file, "utf8"));
  return JSON.stringify({ ...service_provider, crbs, invitation });
}
