import { describe, expect, test } from "vitest";
import { createEndpoint } from "../../../shared/domain/webhooks/createEndpoint.ts";
import { interceptCalls } from "../../shared/store/orderedList/listUnderTest.ts";
import { useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenWebhooks, url } from "./useWebhooks.ts";

const table = useTestTable();
useTestBucket();
useTestSealingKey();
useTestServiceKey();

const given = () => givenWebhooks(table());
const key = { "Idempotency-Key": "endpoint-1" };
const sent = { url, description: "Desk" };

describe("a repeated creation of an endpoint", () => {
  test("returns the same endpoint and secret, also in parallel and after a change", async () => {
    const { create, update, list } = await given();
    const answers = await Promise.all([0, 1, 2].map(() => create(sent, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [first] = answers;
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([first?.text]));
    await update(first?.json.id, { description: "Other desk" });
    const again = (await create({ description: "Desk", url, event_types: [] }, key)).json;
    expect(again).toMatchObject({ id: first?.json.id, description: "Other desk", secret: first?.json.secret });
    expect((await list()).json.data).toHaveLength(1);
  });

  test("returns the tenth endpoint instead of a conflict", async () => {
    const { create } = await given();
    for (let count = 0; count < 9; count += 1) await create();
    const first = await create(sent, key);
    expect((await create(sent, key)).text).toBe(first.text);
    expect((await create(sent, { "Idempotency-Key": "endpoint-2" })).json.code).toBe("endpoint_limit");
  });

  test("finds the endpoint of a request whose response was lost after the commit", async () => {
    const { spId, clientId, create, list } = await given();
    const crashing = testTableOf(table());
    interceptCalls(crashing).after = (call) => {
      if (call === "TransactWriteItemsCommand") throw new Error("killed");
    };
    const fields = { url, description: "Desk", eventTypes: [] };
    await expect(createEndpoint(crashing, spId, fields, { clientId }, "endpoint-1")).rejects.toThrow("killed");
    const { status, json } = await create(sent, key);
    expect([status, (await list()).json.data.map(({ id }: { id: string }) => id)]).toEqual([200, [json.id]]);
  });

  test("with another body or by another credential gets 422, and shows no secret", async () => {
    const { create, spId, list } = await given();
    const first = await create(sent, key);
    const other = await create({ ...sent, description: "Other" }, key);
    const failure = { message: "was sent before in another request; use a new key", value: "endpoint-1" };
    expect([other.status, other.json.fields]).toEqual([422, { "header.idempotency-key": failure }]);
    const byOther = createEndpoint(table(), spId, { ...sent, eventTypes: [] }, null, "endpoint-1");
    await expect(byOther).rejects.toMatchObject({ kind: "invalid" });
    expect((await list()).text).not.toContain(first.json.secret);
  });

  test("gets 404 once the endpoint is deleted", async () => {
    const { create, remove } = await given();
    await remove((await create(sent, key)).json.id);
    expect((await create(sent, key)).status).toBe(404);
    expect((await create(sent, { "Idempotency-Key": "endpoint-2" })).status).toBe(200);
  });

  test("is a new creation without a key", async () => {
    const { create } = await given();
    const [one, other] = [await create(sent), await create(sent)];
    expect(one.json.secret).not.toBe(other.json.secret);
  });
});
