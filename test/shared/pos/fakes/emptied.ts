import { isVerifying, type PosName } from "./fakePos.ts";
import type { FakeRequest } from "./fakeServer.ts";

/** What tells how many rows a list has, in all or on a page. */
const isCount = (name: string) => /total|count|numremaining/i.test(name);

/**
 * A good answer of a fake POS, as one in trouble gives it: well-formed, with status 200, and without a row in any list.
 * Answers that verify the credentials, or define what objects hold, stay as they are.
 */
export function emptied(name: PosName, body: unknown, request: FakeRequest): unknown {
  return isVerifying(name, request) || request.body.includes("<lookup>") ? body : withoutRows(body);
}

function withoutRows(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === "number" && isCount(name)) return 0;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutRows(inner, name)]));
}
