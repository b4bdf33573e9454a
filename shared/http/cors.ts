import type { Operation } from "../api/operation.ts";

/** Request headers that the operations read, and that a page of another origin may send. */
const requestHeaders = ["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match"];

/** Headers of answers that a page of another origin may read, beside those that it may always. */
const answerHeaders = ["ETag", "Retry-After", "x-request-id"];

/** Seconds that a browser may keep the answer to a preflight; none keeps it longer than a day, most two hours. */
const preflightSeconds = 7_200;

/** The origins whose pages may call the API in a browser: of the stage, `*` for all (environment variable ALLOWED_ORIGINS). */
export const allowedOrigins = (): string[] => (process.env.ALLOWED_ORIGINS ?? "").split(/[\s,]/).filter(Boolean);

/**
 * What every answer says to a browser about the page that asked, failures included (Fetch Standard, 3.3). The origin is
 * told back rather than `*`, so that one header fits every list of origins.
 *
 * @param origin the request's `Origin`
 * @param allowed origins, or `*` for all; without any, answers say nothing about it
 */
export function corsHeaders(origin: string | undefined, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0) return {};
  // Told without an origin too, or a cache would give that answer to a page.
  const vary = { Vary: "Origin" };
  if (!isAllowed(origin, allowed)) return vary;
  return { ...vary, "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": answerHeaders.join(", ") };
}

/**
 * The headers of an answer to OPTIONS, with status 204: what the path answers to, and for a page of an allowed origin
 * what it may send.
 *
 * @param methods as `methodsOf` gives them
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

/** The methods that a path answers, by those of its routes: HEAD wherever there is a GET, and OPTIONS (docs/spec.md#methods-and-pages). */
export function methodsOf(routes: readonly { method: Operation["routes"][number]["method"] }[]): string[] {
  const methods = new Set(routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  return [...methods, "OPTIONS"];
}

function isAllowed(origin: string | undefined, allowed: readonly string[]): origin is string {
  return origin !== undefined && (allowed.includes("*") || allowed.includes(origin));
}
