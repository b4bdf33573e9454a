import type { APIGatewayProxyEvent } from "aws-lambda";
import { respond } from "../../shared/http/handlerResult.ts";
import { readProjectFile } from "../../shared/platform/readProjectFile.ts";
import { sources } from "../../shared/web/reference/sourceFiles.ts";

let description: { servers: { url: string }[] } | undefined;

/**
 * Serves the committed description of the API, with the requested host and stage as its server. On AWS without a
 * domain, the path begins with the name of the stage.
 */
export const handler = async (event: APIGatewayProxyEvent) => {
  const base = event.requestContext.path.replace(/\/openapi\.json$/, "");
  description ??= JSON.parse(readProjectFile(sources.description)) as NonNullable<typeof description>;
  const servers = description.servers.map((server) => ({ ...server, url: base || server.url }));
  return respond(event, { status: 200, body: JSON.stringify({ ...description, servers }) });
};
