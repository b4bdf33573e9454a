import { expect, test } from "vitest";
import { type Connection, type Connector, PosError, type PosStore } from "../../../shared/pos/connector.ts";
import { verifyConnection } from "../../../shared/pos/verifyConnection.ts";

const stores: PosStore[] = [
  { id: "1", name: "Main", address: "1 Main Street" },
  { id: "2", otherId: "two", name: "Second", address: null },
];

const verify = (locationId: string | null, required: boolean, outcome: PosStore[] | Error = stores) => {
  const connector = {
    verify: async () => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  } as unknown as Connector;
  return verifyConnection(connector, { locationId } as Connection, required);
};

test.each<[string | null, boolean]>([
  ["2", true],
  ["2", false],
  ["two", true],
  [null, false],
])("location %s, required %s: the connection is accepted", async (location, required) => {
  await verify(location, required);
});

test.each<[string | null, boolean]>([
  [null, true],
  ["", true],
  ["", false],
  ["3", true],
  ["3", false],
])("location %j, required %s: 422 with the POS's locations", async (location, required) => {
  await expect(verify(location, required)).rejects.toMatchObject({
    kind: "invalid",
    details: {
      fields: { "body.pos_info.location_id": {} },
      data: { locations: stores.map(({ id, name, address }) => ({ id, name, address })) },
    },
  });
});

test("one of several stores that are read separately must be named, whatever the POS type says", async () => {
  const several = stores.map((store) => ({ ...store, isOneOfSeveral: true as const }));
  await verify("2", false, several);
  await expect(verify(null, false, several)).rejects.toMatchObject({
    kind: "invalid",
    details: { fields: { "body.pos_info.location_id": { message: "is required; choose one of data.locations" } } },
  });
});

test("a 422 is returned for rejected credentials", () =>
  expect(verify(null, false, new PosError("credentialsRefused"))).rejects.toMatchObject({
    kind: "invalid",
    details: { fields: { "body.pos_info.pos_credentials": {} } },
  }));

test("a 503 is returned for an unreachable POS, with the Retry-After of the POS", () =>
  expect(verify("1", false, new PosError("unreachable", { retryAfter: 30 }))).rejects.toMatchObject({
    kind: "unavailable",
    details: { retryAfter: 30 },
  }));

test("any other error is passed on", () => expect(verify("1", false, new TypeError("x"))).rejects.toThrow(TypeError));
