import { expect, test } from "vitest";
import { PosError } from "../../../../shared/pos/connector.ts";
import { type StoreApi, storeConnector } from "../../../../shared/pos/framework/storeConnector.ts";
import { connectionTo } from "../fakes/pulls.ts";

const connection = connectionTo("Sage Intacct", {});
const request = { since: null, position: null, now: new Date("2026-03-10T12:00:00.000Z") };
const date = new Date("2026-03-10T11:58:00.000Z");
const stores = [{ id: "1", name: "Boulder", address: null }];

const none = async (): Promise<never> => expect.fail("nothing is read");
const readers = { location: none, product: none, customer: none, sale: none };
const connectorTo = (api: StoreApi) => storeConnector("Sage Intacct", {}, () => api, readers);

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

// An empty result of a kind that the POS has would remove all stored records of this kind.
test("a connector has a reader for each kind of its POS, and for no other", () => {
  const open = (): StoreApi => ({ stores: async () => ({ stores, hasUnreadable: false, date }) });
  // @ts-expect-error Dutchie has inventory
  storeConnector("Dutchie", {}, open, readers);
  // @ts-expect-error Sage Intacct has none
  storeConnector("Sage Intacct", {}, open, { ...readers, inventory: none });
});

test.each([true, false])(
  "a connection is not verified if the POS returns no store (unreadable ones: %s)",
  async (hasUnreadable) => {
    const connector = connectorTo({ stores: async () => ({ stores: [], hasUnreadable, date }) });
    await expect(connector.verify(connection)).rejects.toMatchObject({ failure: "notUnderstood", code: "store" });
  },
);
