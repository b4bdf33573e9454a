import { randomBytes } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { readFreshness } from "../../shared/domain/replication/freshness.ts";
import { respond } from "../../shared/http/handlerResult.ts";
import { readProjectFile } from "../../shared/platform/readProjectFile.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { escapeHtml } from "../../shared/text/escapeHtml.ts";
import { pageHeaders } from "../../shared/web/pages/headers.ts";
import { parseIncidents } from "../../shared/web/status/incidents.ts";
import { readServiceStatus, type ServiceStatus } from "../../shared/web/status/serviceStatus.ts";
import { statusSources } from "../../shared/web/status/statusFiles.ts";
import { statusHtml } from "../../shared/web/status/statusHtml.ts";

/** How long an instance serves the status that it last read. Requests need no credential, so this limits reads of the table. */
const freshMs = 10_000;

let last: { status: ServiceStatus; readAt: number } | undefined;

/**
 * Serves the status page, and the same as JSON (docs/spec.md#status). Both respond with 503 if the stage's table
 * cannot be read, so that a monitor needs only the status code.
 */
export const handler = async (event: APIGatewayProxyEvent) => {
  // The clock of an instance can be set back.
  if (!last || Math.abs(Date.now() - last.readAt) > freshMs) {
    last = { status: await readStatus(new Date()), readAt: Date.now() };
  }
  const found = last.status;
  const status = found.api === "operational" ? 200 : 503;
  const retry = status === 503 ? { "Retry-After": "60" } : {};
  if (event.resource === "/status.json") {
    return respond(event, { status, headers: { "Cache-Control": "no-cache", ...retry }, body: JSON.stringify(found) });
  }
  const nonce = randomBytes(16).toString("base64url");
  return respond(event, {
    status,
    headers: { ...pageHeaders([`style-src-elem 'nonce-${nonce}'`, "img-src data:"]), ...retry },
    body: pageOf(found, nonce, event),
  });
};

async function readStatus(now: Date): Promise<ServiceStatus> {
  const { STAGE = "", TABLE_NAME, RELEASE = "local" } = process.env;
  const incidents = parseIncidents(readProjectFile(statusSources.incidents), STAGE, now);
  return readServiceStatus(TABLE_NAME ? () => readFreshness(serviceTable(), now) : undefined, incidents, RELEASE, now);
}

function pageOf(status: ServiceStatus, nonce: string, { requestContext }: APIGatewayProxyEvent): string {
  const { OPERATOR_NAME = "" } = process.env;
  const parts: Record<string, string> = {
    ...statusHtml(status),
    style: `<style nonce="${nonce}">${readProjectFile(statusSources.style)}</style>`,
    // A stage on AWS may have a path prefix, and the path may end with a slash.
    docs: escapeHtml(requestContext.path.replace(/\/status\/?$/, "/docs")),
    operatorName: escapeHtml(OPERATOR_NAME),
  };
  return readProjectFile(statusSources.page).replace(/\{(\w+)\}/g, (place, name: string) => parts[name] ?? place);
}
