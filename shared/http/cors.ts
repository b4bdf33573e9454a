import type { Operation } from "../api/operation.ts";

/** The request headers that the operations read. A page of another origin may send them. */
const requestHeaders = ["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"];

/** Response headers that a page of another origin may read in addition to the CORS-safelisted response headers. */
const answerHeaders = ["Deprecation", "ETag", "Link", "RateLimit-Policy", "Retry-After", "Sunset", "x-request-id"];

/** Seconds that a browser may cache a preflight response. Each browser has its own maximum, from 2 to 24 hours. */
const preflightSeconds = 7_200;

/** The origins whose pages may call the API from a browser; `*` for all (environment variable ALLOWED_ORIGINS). */
export const allowedOrigins = (): string[] => (process.env.ALLOWED_ORIGINS ?? "").split(/[\s,]/).filter(Boolean);

/**
 * The CORS headers of every response, including failures (Fetch Standard, 3.3). `Access-Control-Allow-Origin` repeats
 * the request's origin, because the header can name only one origin or `*`.
 *
 * @param origin the request's `Origin`
 * @param allowed origins, or `*` for all; if empty, responses have no CORS headers
 */
export function corsHeaders(origin: string | undefined, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0) return {};
  // Responses to requests without an origin need `Vary`, too. Otherwise a cache would serve such a response to a page,
  // and the browser would reject it.
  const vary = { Vary: "Origin" };
  if (!isAllowed(origin, allowed)) return vary;
  return { ...vary, "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": answerHeaders.join(", ") };
}

/**
 * The headers of a 204 response to OPTIONS: the methods of the path and, for an allowed origin, the methods and headers
 * that its pages may send.
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

/**
 * The methods of a path: the methods of its routes, HEAD for every GET, and OPTIONS (docs/spec.md#methods-and-pages).
 */
export function methodsOf(routes: readonly { method: Operation["routes"][number]["method"] }[]): string[] {
  const methods = new Set(routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  return [...methods, "OPTIONS"];
}

function isAllowed(origin: string | undefined, allowed: readonly string[]): origin is string {
  return origin !== undefined && (allowed.includes("*") || allowed.includes(origin));
}
