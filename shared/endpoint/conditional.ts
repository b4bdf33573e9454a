import type { Operation } from "../api/operation.ts";
import { isTagged } from "../api/operation.ts";
import type { ListState } from "../table/rankedList/listState.ts";
import type { Answer, HttpResponse } from "./answer.ts";
import type { Call } from "./call.ts";
import { namesTag, weakTag } from "./etag.ts";
import { headerOf } from "./headers.ts";

/**
 * The response of an answer: 304 where the caller holds it already (contract 1, "Conditional reading"), which is known
 * of a list before its page is read. A list that changed just now has no tag, and is answered whole.
 */
export async function conditional(operation: Operation, call: Call, answer: Answer): Promise<HttpResponse> {
  const { state, body, headers: own } = answer;
  const text = state ? undefined : await body();
  const known = text === undefined ? state && tagOf(state, call) : weakTag(text);
  const tag = isTagged(operation, call.route) ? known : undefined;
  if (!tag) return { status: 200, ...(own && { headers: own }), body: text ?? (await body()) };
  const headers = { ...own, ETag: tag, "Cache-Control": "private, no-cache" };
  if (namesTag(headerOf(call, "if-none-match"), tag)) return { status: 304, headers };
  return { status: 200, headers, body: text ?? (await body()) };
}

/** The tag of a list's answer, which depends on the lists and on what was asked for; none before the lists have settled. */
function tagOf({ text, changedAt }: ListState, { input }: Call): string | undefined {
  // Seconds that a commit may come after its stamp (30), and an index lag behind (60); a stage whose indexes don't sets 0.
  const settle = Number(process.env.ETAG_SETTLE_SECONDS ?? 90);
  const settled = settle === 0 || changedAt + settle * 1_000 <= Date.now();
  return settled ? weakTag(JSON.stringify([text, input?.path, input?.query])) : undefined;
}
