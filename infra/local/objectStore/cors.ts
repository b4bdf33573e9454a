import type { IncomingMessage } from "node:http";
import { linkHeaders, linkMethods, preflightSeconds } from "../../constructs/objectCors.ts";
import { StoreError } from "./storeError.ts";

/**
 * The CORS headers that S3 sends if a rule of the bucket allows the page's origin and method; none for other pages.
 *
 * @param allowed origins, or `*` for all
 */
export function corsHeaders(request: IncomingMessage, allowed: readonly string[]): Record<string, string> {
  const { origin, "access-control-request-method": requestedMethod } = request.headers;
  const method = requestedMethod ?? request.method;
  if (!origin || !linkMethods.some((each) => each === method)) return {};
  if (!allowed.includes("*") && !allowed.includes(origin)) return {};
  return {
    "Access-Control-Allow-Origin": allowed.includes("*") ? "*" : origin,
    "Access-Control-Allow-Methods": linkMethods.join(", "),
    Vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

/**
 * The headers of a preflight response. A preflight needs no signature: browsers do not sign OPTIONS.
 *
 * @throws StoreError if the page may not send the request
 */
export function preflightHeaders(request: IncomingMessage, allowed: readonly string[]): Record<string, string> {
  const { "access-control-request-headers": requestedHeaders = "" } = request.headers;
  const names = requestedHeaders.split(",").flatMap((name) => name.trim().toLowerCase() || []);
  const general = corsHeaders(request, allowed);
  if (!general["Access-Control-Allow-Origin"] || !names.every((name) => linkHeaders.some((each) => each === name))) {
    throw new StoreError("AccessForbidden", "CORSResponse: This CORS request is not allowed.");
  }
  return {
    ...general,
    ...(names.length > 0 && { "Access-Control-Allow-Headers": names.join(", ") }),
    "Access-Control-Max-Age": String(preflightSeconds),
  };
}
