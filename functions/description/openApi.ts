import type { APIGatewayProxyEvent } from "aws-lambda";
import description from "../../docs/openapi.json" with { type: "json" };
import { respond } from "../../shared/http/handlerResult.ts";

/**
 * Serves the committed description of the API, with the requested host and stage as its server. On AWS without a
 * domain, the path begins with the name of the stage.
 */
export const handler = async (event: APIGatewayProxyEvent) => {
  const base = event.requestContext.path.replace(/\/openapi\.json$/, "");
  const servers = description.servers.map((server) => ({ ...server, url: base || server.url }));
  return respond(event, { status: 200, body: JSON.stringify({ ...description, servers }) });
};
