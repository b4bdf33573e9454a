import { isVerifying, type PosName } from "./fakePos.ts";
import type { FakeRequest } from "./fakeServer.ts";

/** Fields with the number of rows of a list or of a page. */
const isCount = (name: string) => /total|count|numremaining/i.test(name);

/**
 * The response of a failing POS: well-formed, with status 200, and without a row in any list. Responses that verify
 * credentials or define objects stay as they are.
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
