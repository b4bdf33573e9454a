import { expect, test } from "vitest";
import { headersForOrigins, literal, statusByCredential } from "../../../infra/constructs/velocity.ts";

test("a text without special characters of the language is unchanged", () => {
  expect(literal('{"a":1}')).toBe('{"a":1}');
});

test("special characters of the language are written by variables", () => {
  expect(literal("$1 #2")).toBe(`#set($dollar = '$')#set($hash = '#')\${dollar}1 \${hash}2`);
});

test("the credential determines the status, whatever the case of the header's name", () => {
  expect(statusByCredential).toContain('$name.toLowerCase() == "authorization"');
  expect(statusByCredential).toMatch(/\{"statusCode": #if\(\$credential == ""\)401#\{else\}200#end\}$/);
});

test("headers may be read by the stage's origins only, or by all", () => {
  const headers = { "Access-Control-Allow-Origin": "$origin" };
  expect(headersForOrigins([], headers)).toBe("");
  expect(headersForOrigins(["https://a.example", "https://b.example"], headers)).toContain(
    '#if($origin == "https://a.example" || $origin == "https://b.example")' +
      '#set($context.responseOverride.header.Access-Control-Allow-Origin = "$origin")#end',
  );
  expect(headersForOrigins(["*"], headers)).toContain('#if($origin != "")');
});
