import { isTagged, type Operation } from "../api/operation.ts";
import type { ListState } from "../store/orderedList/readPage.ts";
import { crbIdsIn } from "./crbIdsIn.ts";
import { hasMatchingTag, weakTag } from "./etag.ts";
import type { Body, HandlerResult, HttpResponse } from "./handlerResult.ts";
import { headerOf } from "./headers.ts";
import { linkHeader } from "./linkHeader.ts";
import type { RequestContext } from "./requestContext.ts";

/**
 * Responds 304 if the caller has the current version (docs/spec.md#conditional-requests). For a list, the state of the
 * list determines the response, so the page is not read for a 304. A list that has just changed has no tag, so its
 * response is always complete.
 */
export async function respondConditionally(
  operation: Operation,
  call: RequestContext,
  answer: HandlerResult,
): Promise<ConditionalResponse> {
  const { state, body: make, headers: own } = answer;
  const made = state ? undefined : await make();
  const known = made ? weakTag(made.text) : state && tagOf(state, call);
  const tag = isTagged(operation, call.route) ? known : undefined;
  const headers = tag ? { ...own, ETag: tag, "Cache-Control": "private, no-cache" } : own;
  if (tag && hasMatchingTag(headerOf(call, "if-none-match"), tag)) return { status: 304, ...(headers && { headers }) };
  const { text, records, total, logged: details } = made ?? (await make());
  const links = records !== undefined && total !== undefined ? linkHeader(operation, call, { records, total }) : {};
  const field = operation.businessField;
  const logged = {
    ...(records !== undefined && { records }),
    ...(field && { crbIds: crbIdsIn(text, field) }),
    ...details,
  };
  return { status: 200, headers: { ...headers, ...links }, body: text, logged };
}

/** A response and its details for the access log; a 304 has none. */
type ConditionalResponse = HttpResponse & Pick<Body, "logged">;

/**
 * The tag of a list response, from the state of the lists and the request's parameters. Undefined if a list changed so
 * recently that reads may not return the change yet.
 */
function tagOf({ text, changedAt }: ListState, { input }: RequestContext): string | undefined {
  // A transaction can commit up to 30 s after its timestamp, and an index can lag by 60 s. A stage without these delays
  // sets ETAG_SETTLE_SECONDS to 0.
  const settle = Number(process.env.ETAG_SETTLE_SECONDS ?? 90);
  const settled = settle === 0 || changedAt + settle * 1_000 <= Date.now();
  return settled ? weakTag(JSON.stringify([text, input?.path, input?.query])) : undefined;
}
