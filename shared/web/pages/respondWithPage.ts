import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { ServiceError } from "../../api/errors.ts";
import { respond, respondError } from "../../http/handlerResult.ts";
import type { PageFiles } from "./assets.ts";
import { assetHeaders } from "./headers.ts";

/**
 * Serves a page and its assets.
 *
 * @param page creates the page's HTML and headers for this response
 */
export function respondWithPage(
  event: APIGatewayProxyEvent,
  { assets }: PageFiles,
  page: () => { headers: Record<string, string>; body: string },
): APIGatewayProxyResult {
  const name = event.pathParameters?.file;
  if (name === undefined) return respond(event, { status: 200, ...page() });
  const asset = assets.get(name);
  if (!asset) return respondError(event, new ServiceError("notFound", { code: "route_not_found" }));
  return respond(event, { status: 200, headers: assetHeaders(asset.contentType), body: asset.body });
}
