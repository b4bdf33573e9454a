import type { APIGatewayProxyEvent } from "aws-lambda";
import description from "../../docs/openapi.json" with { type: "json" };
import { respond } from "../../shared/http/handlerResult.ts";

/**
 * The description of the API, as it is committed. Its server is the one that was asked: on AWS, where no domain hides
 * it, that is below a path of its own, the name of the stage.
 */
export const handler = async (event: APIGatewayProxyEvent) => {
  const base = event.requestContext.path.replace(/\/openapi\.json$/, "");
  const servers = description.servers.map((server) => ({ ...server, url: base || server.url }));
  return respond(event, { status: 200, body: JSON.stringify({ ...description, servers }) });
};
