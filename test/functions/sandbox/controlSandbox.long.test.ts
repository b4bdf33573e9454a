import { beforeAll, describe, expect, test, vi } from "vitest";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { replicateCrb } from "../../../shared/domain/replication/replicateCrb.ts";
import { sandboxConnector } from "../../../shared/pos/sandbox/sandboxConnector.ts";
import { changeCrb, readCrb } from "../../../shared/store/crbs.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

useTestServiceKey();
const table = useTestTable();
const sent = useQueues();
beforeAll(() => {
  vi.stubEnv("REPLICATE_EVERY_SECONDS", JSON.stringify(Object.fromEntries(recordKinds.map((kind) => [kind, 600]))));
});

/** A business, connected to a simulated POS just now. */
async function given(posType: "GrowFlow Wholesale" | "Dutchie" = "GrowFlow Wholesale") {
  const { crbId, call, ...provider } = await givenServiceProvider(table(), undefined, {
    business_type: posType === "Dutchie" ? "retail" : "wholesale",
    pos_configs: [{ name: posType, updated_date: new Date().toISOString(), status: "Connected" }],
  });
  const connection = { posType, locationId: null, connectedAt: new Date().toISOString() } as const;
  await changeCrb(table(), crbId, (crb) => ({ ...crb, connection }));
  const connectorOf = () => sandboxConnector(900);
  return {
    ...provider,
    crbId,
    act: (action: string, body?: object) => call("controlSandbox", { path: { action }, ...(body && { body }) }),
    run: (kind: "location" | "sale" = "location") =>
      replicateCrb(table(), { crb_id: crbId, kind }, { deadline: new Date(Date.now() + 600_000), connectorOf }),
    posStatus: async () => (await readCrb(table(), crbId))?.record.pos_configs[0]?.status,
    error: async () => {
      const { json } = await call("listCrbReplications");
      return json.data.find(({ kind }: { kind: string }) => kind === "inventory-locations")?.error;
    },
    endFailure: () =>
      changeCrb(table(), crbId, ({ connection, ...crb }) => {
        const failure = { error: "not_permitted", until: new Date(Date.now() - 1).toISOString() } as const;
        return { ...crb, connection: connection && { ...connection, sandbox: { failure } } };
      }),
    sales: async () => {
      const { records } = await readPage(table(), recordList(crbId, "sale"), { offset: 0, limit: 10 });
      return records.map((text) => JSON.parse(text));
    },
  };
}

describe("sales", () => {
  test("are replicated after they were made, returned and voided, and are rejected while they are unreadable", async () => {
    const { act, run, sales, crbId } = await given();
    await run("sale");
    sent.replication.splice(0);
    expect((await act("sell", { count: 2 })).json).toMatchObject({ crb_id: crbId, sales: 2, unreadable_records: 0 });
    expect(sent.replication).toContainEqual(expect.objectContaining({ crb_id: crbId, kinds: ["sale"] }));
    expect(await run("sale")).toMatchObject({ outcome: "finished", created: 2, rejected: 0 });
    await act("return");
    await act("void");
    await act("reject_records");
    expect(await run("sale")).toMatchObject({ created: 1, changed: 1, rejected: 1 });
    const [first, second] = await sales();
    expect([first, second].map(({ transaction_type }) => transaction_type).sort()).toEqual(["adjustment", "return"]);
    const back = [first, second].find(({ transaction_type }) => transaction_type === "return");
    expect(back.total_paid).toBeLessThan(0);
    expect((await act("reset")).json).toMatchObject({ sales: 4, unreadable_records: 0 });
    expect(await run("sale")).toMatchObject({ created: 1, rejected: 0 });
  });

  test("break a rule of the state if the caller wants it, and only one that it has", async () => {
    const { act, run, sales } = await given("Dutchie");
    const { status, json } = await act("sell", { violation: "sale_hours" });
    expect([status, json.fields["body.violation"].message]).toEqual([
      422,
      expect.stringMatching(/^must be a check that a sale of this CRB can break: minimum_age, transaction_limit, /),
    ]);
    await act("sell", { violation: "minimum_age" });
    await run("sale");
    const names = (await sales()).map(({ line_items }) => line_items[0]?.product_name);
    expect(names).toContainEqual(expect.stringMatching(/ \(demo: breaks CO\.adult\.minimum_age\)$/));
  });

  test("cannot be returned or voided without one, or exceed 500", async () => {
    const { act } = await given();
    for (const action of ["return", "void"]) {
      expect((await act(action)).json).toMatchObject({ status: 409, code: "sale_missing" });
    }
    await act("reject_records");
    expect((await act("return")).json.code).toBe("sale_missing");
    for (let i = 0; i < 24; i++) await act("sell", { count: 20 });
    expect((await act("sell", { count: 20 })).json).toMatchObject({ status: 409, code: "sale_limit" });
    expect((await act("sell", { count: 19 })).status).toBe(200);
  });
});

test("rejected credentials lead to Needs Attention after a second run, although another business of the POS is rejected", async () => {
  const [other, crb] = [await given(), await given()];
  for (const { act, run } of [other, crb]) {
    await act("refuse_credentials");
    expect(await run()).toMatchObject({ outcome: "failed", failure: "credentialsRefused" });
  }
  expect(await crb.posStatus()).toBe("Connected");
  await crb.run();
  expect(await crb.posStatus()).toBe("Needs Attention");
  expect(await crb.error()).toBe("credentials_refused");
  await crb.act("restore_credentials");
  await crb.run();
  expect([await crb.posStatus(), await crb.error()]).toEqual(["Connected", null]);
});

test("a failure lasts as long as requested, and its retries follow within ten seconds", async () => {
  const { act, run, error, endFailure } = await given();
  const { json } = await act("fail", { error: "not_permitted", minutes: 2 });
  const seconds = (Date.parse(json.error_until) - Date.now()) / 1_000;
  expect([json.error, seconds > 100, seconds <= 120]).toEqual(["not_permitted", true, true]);
  const failed = (await run()) as { retryAt: Date };
  expect(failed.retryAt.getTime() - Date.now()).toBeLessThanOrEqual(10_000);
  expect(await error()).toBe("not_permitted");
  await endFailure();
  expect(await run()).toMatchObject({ outcome: "finished" });
  expect(await error()).toBeNull();
  await act("fail", { error: "unreachable" });
  await act("reset");
  expect(await run()).toMatchObject({ outcome: "finished" });
});

test.each([
  ["fail", undefined, "body.error", "is required for fail"],
  ["sell", { minutes: 1 }, "body.minutes", "is not a detail of sell"],
  ["reset", { count: 1 }, "body.count", "is not a detail of reset"],
  ["sell", { count: 21 }, "body.count", "must be at most 20"],
  ["fail", { violation: "minimum_age", error: "unreachable" }, "body.violation", "is not a detail of fail"],
  ["sell", { violation: "minimum_age" }, "body.violation", expect.stringMatching(/^must be a check .*: none$/)],
  ["fail", { error: "unexpected" }, "body.error", expect.stringMatching(/^must be one of /)],
  ["sell_all", undefined, "path.action", expect.stringMatching(/^must be one of /)],
])("%s with %j gets 422 on %s", async (action, body, field, message) => {
  const { act } = await given();
  const { status, json } = await act(action, body);
  expect([status, json.fields[field]?.message]).toEqual([422, message]);
});

test("all wrong details are reported at once", async () => {
  const { act } = await given();
  const fieldsOf = async (action: string, body: unknown) =>
    Object.keys((await act(action, body as object)).json.fields).sort();
  expect(await fieldsOf("fail", { minutes: 0 })).toEqual(["body.error", "body.minutes"]);
  expect(await fieldsOf("return", { count: 1, error: "zz", x: 1 })).toEqual(["body.count", "body.error", "body.x"]);
  expect(await fieldsOf("fail", [])).toEqual(["body", "body.error"]);
});

test("a CRB without a connection gets 409", async () => {
  const { act, crbId } = await given();
  await changeCrb(table(), crbId, (crb) => ({ ...crb, connection: null }));
  expect((await act("sell")).json).toMatchObject({ status: 409, code: "pos_not_connected" });
});
