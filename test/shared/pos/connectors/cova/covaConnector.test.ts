import { describe, expect, test } from "vitest";
import { unplannedRejections } from "../../fakes/expectedRecords.ts";
import type { FakeCova } from "../../fakes/fakeCova.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";

const fake = new FakePosUnderTest("cova", "2026-03-10T19:30:00.000Z");
const server = () => fake.pos.server as FakeCova;
const signIns = () => server().requestsFor("/v1/oauth2/token").length;

describe("signing in", () => {
  test("happens once for all pulls of a process, and again for each verification", async () => {
    const connector = fake.pos.connector();
    for (let times = 0; times < 2; times++) await connector.verify(fake.pos.connection);
    expect(signIns()).toBe(2);
    for (const kind of ["product", "sale"] as const) {
      await connector.pull(fake.pos.connection, { kind, since: null, position: null, now: fake.now });
    }
    expect(signIns()).toBe(2);
  });

  const pullTwice = async (between: () => void) => {
    const connector = fake.pos.connector();
    const pull = { kind: "product", since: null, position: null, now: fake.now } as const;
    const first = await connector.pull(fake.pos.connection, pull);
    between();
    expect(await connector.pull(fake.pos.connection, pull)).toEqual(first);
  };

  test("is repeated if Cova rejects a token before its end", async () => {
    await pullTwice(() => server().tokens.clear());
    expect(signIns()).toBe(2);
  });

  test("leads to a token that is used again, even if its lifetime is not stated", async () => {
    server().tokenSeconds = null;
    await pullTwice(() => {});
    expect(signIns()).toBe(1);
  });

  test.each<[string, number, object, string]>([
    ["invalid_grant", 400, { error: "invalid_grant" }, "credentialsRefused"],
    ["invalid_client", 400, { error: "invalid_client" }, "credentialsRefused"],
    ["unauthorized_client", 401, { error: "unauthorized_client" }, "credentialsRefused"],
    ["a request that is not understood", 400, { error: "invalid_request" }, "notUnderstood"],
    ["a text", 400, {}, "notUnderstood"],
    ["no token", 200, { token_type: "Bearer" }, "notUnderstood"],
    ["a token that no header can have", 200, { access_token: "two\r\nlines" }, "notUnderstood"],
    ["a token that is no text", 200, { access_token: { a: 1 } }, "notUnderstood"],
  ])("with the response %s fails as it should", async (_, status, body, failure) => {
    server().respond("/v1/oauth2/token", { status, body });
    await expect(fake.verify()).rejects.toMatchObject({ failure });
    expect(signIns()).toBe(1);
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 60, "904118263", "1)/Companies(2"])(
    "a company id of %j is rejected without a request",
    async (companyId) => {
      const credentials = { ...fake.pos.connection.credentials, companyId };
      await expect(fake.verify({ credentials })).rejects.toMatchObject({ failure: "credentialsRefused" });
      expect(server().requests).toEqual([]);
    },
  );

  test("the id of another company is rejected", async () => {
    const credentials = { ...fake.pos.connection.credentials, companyId: 5 };
    await expect(fake.verify({ credentials })).rejects.toMatchObject({ failure: "credentialsRefused" });
  });
});

test("a company with several locations needs one of them, and names each with its address", async () => {
  expect(await fake.verify()).toEqual([
    { id: "7001", name: "Boulder", address: "412 Pearl Street, Boulder, CO 80302", isOneOfSeveral: true },
    { id: "7002", name: "Location 7002", address: null, isOneOfSeveral: true },
  ]);
});

test("customers may come in an envelope, or bare as documented", async () => {
  const wrapped = await fake.afresh("customer");
  server().wraps = false;
  expect(await fake.afresh("customer")).toEqual(wrapped);
});

test.each<[string, boolean, boolean]>([
  ["of units with tax", true, false],
  ["of lines without tax", false, true],
  ["of lines with tax", true, true],
])("prices %s lead to the same totals", async (_, hasTax, isOfLine) => {
  const expected = await fake.afresh("sale");
  Object.assign(server(), { pricesHaveTax: hasTax, pricesAreOfLines: isOfLine });
  const pulled = await fake.pull("sale");
  expect(unplannedRejections(pulled.rejected)).toEqual([]);
  for (const [id, { subtotal, tax_paid, total_paid }] of expected) {
    expect(pulled.records.get(id)).toMatchObject({ subtotal, tax_paid, total_paid });
  }
});

test("later pulls read products by their changes, and all of them once a week; their stock once a day", async () => {
  const paths = () =>
    server()
      .requestsFor(/DetailedProductData/)
      .map(({ path }) => path.includes("UpdatedAsOf"));
  const [product, inventory] = [fake.puller("product"), fake.puller("inventory")];
  for (const one of [product, inventory]) await one.pull(fake.now);
  server().requests.length = 0;
  for (const one of [product, inventory]) await one.pull(fake.later(60));
  expect(new Set(paths())).toEqual(new Set([true]));
  server().requests.length = 0;
  await product.pull(fake.later(24 * 60));
  expect(new Set(paths())).toEqual(new Set([true]));
  await inventory.pull(fake.now);
  expect(new Set(paths())).toEqual(new Set([true, false]));
});
