import fc from "fast-check";
import { test } from "vitest";
import { escapeHtml } from "../../../shared/text/escapeHtml.ts";

test("markup of any text is escaped", () => {
  fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(escapeHtml(text))));
});
