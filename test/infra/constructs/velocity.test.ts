import { expect, test } from "vitest";
import { headersForOrigins, literal, statusByCredential } from "../../../infra/constructs/velocity.ts";

test("a text without signs of the language stays as it is", () => {
  expect(literal('{"a":1}')).toBe('{"a":1}');
});

test("signs of the language are written by variables", () => {
  expect(literal("$1 #2")).toBe(`#set($dollar = '$')#set($hash = '#')\${dollar}1 \${hash}2`);
});

test("a credential decides on the status, whatever the case of the header's name", () => {
  expect(statusByCredential).toContain('$name.toLowerCase() == "authorization"');
  expect(statusByCredential).toMatch(/\{"statusCode": #if\(\$credential == ""\)401#\{else\}200#end\}$/);
});

test("headers are told to the origins of the stage alone, or to any", () => {
  const headers = { "Access-Control-Allow-Origin": "$origin" };
  expect(headersForOrigins([], headers)).toBe("");
  expect(headersForOrigins(["https://a.example", "https://b.example"], headers)).toContain(
    '#if($origin == "https://a.example" || $origin == "https://b.example")' +
      '#set($context.responseOverride.header.Access-Control-Allow-Origin = "$origin")#end',
  );
  expect(headersForOrigins(["*"], headers)).toContain('#if($origin != "")');
});
