import type { Operation } from "../api/operation.ts";
import { isTagged } from "../api/operation.ts";
import type { ListState } from "../store/orderedList/listState.ts";
import { hasMatchingTag, weakTag } from "./etag.ts";
import type { Body, HandlerResult, HttpResponse } from "./handlerResult.ts";
import { headerOf } from "./headers.ts";
import type { RequestContext } from "./requestContext.ts";

/**
 * The response of an answer: 304 where the caller holds it already (docs/spec.md#conditional-requests), which is known
 * of a list before its page is read. A list that changed just now has no tag, and is answered whole.
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
  const { text, records } = made ?? (await make());
  return { status: 200, ...(headers && { headers }), body: text, ...(records !== undefined && { records }) };
}

/** A response, and how many records its list has; without `records` where it has no list. */
type ConditionalResponse = HttpResponse & Pick<Body, "records">;

/** The tag of a list's answer, which depends on the lists and on what was asked for; none before the lists have settled. */
function tagOf({ text, changedAt }: ListState, { input }: RequestContext): string | undefined {
  // Seconds that a commit may come after its stamp (30), and an index lag behind (60); a stage whose indexes don't sets 0.
  const settle = Number(process.env.ETAG_SETTLE_SECONDS ?? 90);
  const settled = settle === 0 || changedAt + settle * 1_000 <= Date.now();
  return settled ? weakTag(JSON.stringify([text, input?.path, input?.query])) : undefined;
}
