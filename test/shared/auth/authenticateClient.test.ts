import { expect, test } from "vitest";
import { ServiceError } from "../../../shared/api/errors.ts";
import { authenticateClient } from "../../../shared/auth/authenticateClient.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls } from "../store/orderedList/listUnderTest.ts";

const origin = { authorization: undefined, address: "192.0.2.1" };
const table = useTestTable();

test("a client id longer than any key of the table is unauthorized", async () => {
  const id = "x".repeat(5_000);
  const pair = { client_id: id, client_secret: "secret" };
  const basic = `Basic ${Buffer.from(`${id}:secret`).toString("base64")}`;
  await expect(authenticateClient(table(), pair, origin)).rejects.toMatchObject({ kind: "unauthorized" });
  await expect(authenticateClient(table(), {}, { ...origin, authorization: basic })).rejects.toMatchObject({
    kind: "unauthorized",
  });
});

test("an outage of the table is a 503, not a wrong credential", async () => {
  const broken = testTableOf(table());
  interceptCalls(broken).before = () => {
    throw new ServiceError("unavailable");
  };
  const pair = { client_id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", client_secret: "secret" };
  await expect(authenticateClient(broken, pair, origin)).rejects.toMatchObject({ kind: "unavailable" });
});
