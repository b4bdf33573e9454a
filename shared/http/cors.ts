import type { Operation } from "../api/operation.ts";

/** Request headers that the operations read and a page of another origin may send. */
const requestHeaders = ["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"];

/** Response headers that a page of another origin may read in addition to the CORS-safelisted ones. */
const answerHeaders = ["ETag", "Retry-After", "x-request-id"];

/** Seconds that a browser may cache a preflight response. Browsers cap it at 2 to 24 hours. */
const preflightSeconds = 7_200;

/** The origins whose pages may call the API from a browser; `*` for all (environment variable ALLOWED_ORIGINS). */
export const allowedOrigins = (): string[] => (process.env.ALLOWED_ORIGINS ?? "").split(/[\s,]/).filter(Boolean);

/**
 * The CORS headers of every response, including failures (Fetch Standard, 3.3). They repeat the request's origin
 * instead of `*`, so that one header fits every list of origins.
 *
 * @param origin the request's `Origin`
 * @param allowed origins, or `*` for all; if empty, responses have no CORS headers
 */
export function corsHeaders(origin: string | undefined, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0) return {};
  // Responses without an origin need it, too: otherwise a cache would serve them to a page.
  const vary = { Vary: "Origin" };
  if (!isAllowed(origin, allowed)) return vary;
  return { ...vary, "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": answerHeaders.join(", ") };
}

/**
 * The headers of a 204 response to OPTIONS: the path's methods and, for an allowed origin, what its pages may send.
 *
 * @param methods from `methodsOf`
 */
export function preflightHeaders(
  methods: readonly string[],
  origin: string | undefined,
  allowed: readonly string[],
): Record<string, string> {
  const general = { Allow: methods.join(", "), ...corsHeaders(origin, allowed) };
  if (!isAllowed(origin, allowed)) return general;
  return {
    ...general,
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": requestHeaders.join(", "),
    "Access-Control-Max-Age": String(preflightSeconds),
  };
}

/** The methods of a path: those of its routes, HEAD for every GET, and OPTIONS (docs/spec.md#methods-and-pages). */
export function methodsOf(routes: readonly { method: Operation["routes"][number]["method"] }[]): string[] {
  const methods = new Set(routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  return [...methods, "OPTIONS"];
}

function isAllowed(origin: string | undefined, allowed: readonly string[]): origin is string {
  return origin !== undefined && (allowed.includes("*") || allowed.includes(origin));
}
