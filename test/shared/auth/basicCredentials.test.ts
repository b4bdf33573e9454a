import { expect, test } from "vitest";
import { basicCredentials } from "../../../shared/auth/basicCredentials.ts";

const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString("base64")}`;

test.each([
  ["a:b", "a", "b"],
  ["a:b:c", "a", "b:c"],
  [":", "", ""],
  ["a+b%2Bc:%3A+%C3%A9", "a b+c", ": é"],
  ["a:b\nc", "a", "b\nc"],
])("%j has the id %j and the secret %j", (text, clientId, clientSecret) => {
  expect(basicCredentials(basic(text))).toEqual({ clientId, clientSecret });
});

test.each([
  undefined,
  "",
  "Basic",
  "Basic ",
  "Basic a:b",
  `Bearer ${basic("a:b")}`,
  `${basic("a:b")} x`,
  basic("no colon"),
  basic("a:%"),
  basic("%zz:b"),
  basic("a:%ff"),
])("%j has no credentials", (header) => {
  expect(basicCredentials(header)).toBeUndefined();
});
