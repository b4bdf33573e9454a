import { expect, test } from "vitest";
import { PosError } from "../../../../shared/pos/connector.ts";
import { type StoreApi, storeConnector } from "../../../../shared/pos/framework/storeConnector.ts";
import { connectionTo } from "../fakes/pulls.ts";

const connection = connectionTo("Sage Intacct", {});
const request = { since: null, position: null, now: new Date("2026-03-10T12:00:00.000Z") };
const date = new Date("2026-03-10T11:58:00.000Z");
const stores = [{ id: "1", name: "Boulder", address: null }];

const connectorTo = (api: StoreApi) => storeConnector({}, () => api, {});

test("a kind that the POS does not have is empty, up to the start of the pull", async () => {
  const connector = connectorTo({ stores: async () => ({ stores, hasUnreadable: false, date }) });
  const { next, ...page } = await connector.pull(connection, { ...request, kind: "inventory" });
  expect(page).toEqual({ records: [], rejected: [], total: 0, complete: true });
  expect(next).toMatchObject({ asOf: "2026-03-10T11:58:00.000Z", readAll: true });
  const watermark = "watermark" in next ? next.watermark : "";
  const later = await connector.pull(connection, { ...request, kind: "inventory", since: watermark });
  expect(later.next).toMatchObject({ readAll: true });
});

test("the credentials are verified even for such a kind", async () => {
  const stores = () => Promise.reject(new PosError("credentialsRefused"));
  const pull = connectorTo({ stores }).pull(connection, { ...request, kind: "inventory" });
  await expect(pull).rejects.toMatchObject({ failure: "credentialsRefused" });
});

test("a kind that is neither read nor declared missing is an error, not empty", async () => {
  const connector = connectorTo({ stores: async () => ({ stores, hasUnreadable: false, date }) });
  const pull = connector.pull(connectionTo("Dutchie", {}), { ...request, kind: "inventory" });
  await expect(pull).rejects.toThrow("Dutchie has no reader for its inventory records");
});

test.each([true, false])(
  "a connection is not verified if the POS returns no store (unreadable ones: %s)",
  async (hasUnreadable) => {
    const connector = connectorTo({ stores: async () => ({ stores: [], hasUnreadable, date }) });
    await expect(connector.verify(connection)).rejects.toMatchObject({ failure: "notUnderstood", code: "store" });
  },
);
