import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectablePosTypes } from "../../../shared/api/enumerations.ts";
import { findConnector } from "../../../shared/pos/connectors.ts";
import { partnerKeys } from "../../../shared/pos/partnerKeys.ts";
import { posCredentialsSchema } from "../../../shared/pos/posCredentialsSchema.ts";
import { standInVariables } from "../../../shared/pos/standIns.ts";
import { FakeDutchie } from "./fakes/fakeDutchie.ts";
import { connectionTo } from "./fakes/pulls.ts";
import { smallSize } from "./fakes/shop.ts";

const realTypes = [
  "Blaze",
  "Canix",
  "Dutchie",
  "Dutchie Wholesale",
  "Flourish Wholesale",
  "Flowhub",
  "Meadow",
  "Sage Intacct",
  "Treez",
];
const dutchie = connectionTo("Dutchie", { recApiKey: "rec-key" });
let standIn: FakeDutchie;

beforeEach(async () => {
  standIn = new FakeDutchie(1, smallSize);
  await standIn.start();
  vi.stubEnv("STAGE", "local");
  vi.stubEnv("POS_CONNECTORS", "sandbox");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await standIn.close();
});

const found = () => connectablePosTypes.filter((posType) => findConnector(posType));

test("simulated: every POS type", () => {
  expect(found()).toEqual(connectablePosTypes);
});

test("real: the types that have a connector, and no others in the credentials schema", () => {
  vi.stubEnv("POS_CONNECTORS", "real");
  expect(found()).toEqual(realTypes);
  expect(Object.keys(posCredentialsSchema())).toEqual(realTypes);
});

test("what is uploaded is never asked for, nor simulated", () => {
  expect(findConnector("Manual Upload Retail")).toBeUndefined();
});

test("neither: none", () => {
  vi.stubEnv("POS_CONNECTORS", "");
  expect(found()).toEqual([]);
});

test.each(["constructor", "__proto__", "", "Manual"])("%j is no POS type", (posType) => {
  vi.stubEnv("POS_CONNECTORS", "real");
  expect(findConnector(posType)).toBeUndefined();
});

describe("a stand-in", () => {
  test.each(["sandbox", "real", ""])("is read instead of its POS (POS_CONNECTORS=%j)", async (connectors) => {
    vi.stubEnv("POS_CONNECTORS", connectors);
    vi.stubEnv("POS_DUTCHIE_URL", `${standIn.url}/`);
    expect(await findConnector("Dutchie")?.verify(dutchie)).toMatchObject([{ id: "4101" }]);
    expect(await findConnector("Dutchie Wholesale")?.verify(dutchie)).toMatchObject([{ id: "4101" }]);
    expect(standIn.requests).toHaveLength(2);
  });

  test("leaves those simulated who have no credentials", async () => {
    vi.stubEnv("POS_DUTCHIE_URL", standIn.url);
    expect(await findConnector("Dutchie")?.verify({ ...dutchie, credentials: {} })).toMatchObject([{ id: "testing" }]);
    expect(await findConnector("Treez")?.verify(dutchie)).toMatchObject([{ id: "testing" }]);
    expect(standIn.requests).toEqual([]);
  });

  test("is nothing to prod, nor is simulation: only the POS's own address is asked, by HTTPS", async () => {
    vi.stubEnv("STAGE", "prod");
    for (const variable of Object.values(standInVariables)) vi.stubEnv(variable, standIn.url);
    expect(found()).toEqual([]);
    vi.stubEnv("POS_CONNECTORS", "real");
    for (const name of partnerKeys) vi.stubEnv(name, "partner-key");
    const asked: string[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
      asked.push(String(url));
      expect(init).toMatchObject({ redirect: "error" });
      return new Response("", { status: 401 });
    });
    const credentials = {
      recApiKey: "http://127.0.0.1",
      clientId: "c",
      key: "k",
      clientKey: "k",
      Authorization: "k",
      apiKey: "a",
      api_key: "user:key",
      dispensaryName: "greenway",
      company_id: "c",
      user_id: "u",
      user_password: "p",
    };
    for (const posType of realTypes) {
      await expect(findConnector(posType)?.verify({ ...dutchie, credentials })).rejects.toMatchObject({
        failure: "credentialsRefused",
      });
    }
    expect([...new Set(asked)]).toEqual([
      "https://api.partners.blaze.me/api/v1/partner/store",
      "https://api.canix.com/api/v1/facilities?limit=2000&offset=0&order_by=id+asc",
      "https://api.pos.dutchie.com/whoami",
      "https://app.flourishsoftware.com/external/api/v1/facilities?limit=50&offset=0",
      "https://api.flowhub.co/v0/clientsLocations",
      "https://api.getmeadow.com/api/v1/organization",
      "https://api.intacct.com/ia/xml/xmlgw.phtml",
      "https://api.treez.io/v2.0/dispensary/greenway/config/api/gettokens",
    ]);
    expect(standIn.requests).toEqual([]);
  });

  test.each(["standin", "ftp://standin", "http://user@standin", "http://standin?key=1"])(
    "%s is no address",
    (address) => {
      vi.stubEnv("POS_DUTCHIE_URL", address);
      expect(() => findConnector("Dutchie")).toThrow(/^POS_DUTCHIE_URL must be an address/);
    },
  );
});
