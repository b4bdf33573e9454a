import { expect, test } from "vitest";
import { ServiceError } from "../../../shared/api/errors.ts";
import { authenticateClient } from "../../../shared/auth/authenticateClient.ts";
import { basicCredentials } from "../../../shared/auth/basicCredentials.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls } from "../store/orderedList/listUnderTest.ts";

const origin = { authorization: undefined, address: "192.0.2.1" };
const table = useTestTable();

test("a client id longer than any key of the table is unauthorized", async () => {
  const id = "x".repeat(5_000);
  const pair = { client_id: id, client_secret: "secret" };
  await expect(authenticateClient(table(), pair, origin)).rejects.toMatchObject({ kind: "unauthorized" });
  await expect(
    authenticateClient(table(), {}, { ...origin, authorization: basic(`${id}:secret`) }),
  ).rejects.toMatchObject({ kind: "unauthorized" });
});

test("an outage of the table is a 503, not a wrong credential", async () => {
  const broken = testTableOf(table());
  interceptCalls(broken).before = () => {
    throw new ServiceError("unavailable");
  };
  const pair = { client_id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", client_secret: "secret" };
  await expect(authenticateClient(broken, pair, origin)).rejects.toMatchObject({ kind: "unavailable" });
});

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
