import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { notFound } from "../../api/errors.ts";
import { respond, respondError } from "../../http/handlerResult.ts";
import type { PageFiles } from "./assets.ts";
import { assetHeaders } from "./headers.ts";

/**
 * Answers for a page, and below it for what it loads.
 *
 * @param page its HTML as it is told now, with its headers
 */
export function respondWithPage(
  event: APIGatewayProxyEvent,
  { assets }: PageFiles,
  page: () => { headers: Record<string, string>; body: string },
): APIGatewayProxyResult {
  const name = event.pathParameters?.file;
  if (name === undefined) return respond(event, { status: 200, ...page() });
  const asset = assets.get(name);
  if (!asset) return respondError(event, notFound());
  return respond(event, { status: 200, headers: assetHeaders(asset.contentType), body: asset.body });
}
