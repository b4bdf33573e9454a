import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ConnectablePosType, connectablePosTypes } from "../../../shared/api/enumerations.ts";
import { isExperimental, readablePosTypes } from "../../../shared/api/pos/connectorProofs.ts";
import { credentialSets } from "../../../shared/api/pos/credentialSets.ts";
import { posTypes } from "../../../shared/api/pos/posTypes.ts";
import { findConnectedConnector, findConnector } from "../../../shared/pos/findConnector.ts";
import { partnerKeys } from "../../../shared/pos/partnerKeys.ts";
import { posCredentialsSchema } from "../../../shared/pos/posCredentialsSchema.ts";
import { testEndpointVariables } from "../../../shared/pos/testEndpoints.ts";
import { systemClock } from "../../../shared/time/clock.ts";
import { FakeDutchie } from "./fakes/fakeDutchie.ts";
import { connectionTo } from "./fakes/pulls.ts";
import { smallSize } from "./fakes/shop.ts";

/** The first requested URLs, which verify the credentials, by POS type with a connector. */
const verifying: Partial<Record<ConnectablePosType, string | string[]>> = {
  Alleaves: "https://app.alleaves.com/api/auth",
  Blaze: "https://api.partners.blaze.me/api/v1/partner/store",
  Canix: "https://api.canix.com/api/v1/facilities?limit=2000&offset=0&order_by=id+asc",
  Cova: "https://accounts.iqmetrix.net/v1/oauth2/token",
  Dutchie: "https://api.pos.dutchie.com/whoami",
  "Dutchie Wholesale": "https://api.pos.dutchie.com/whoami",
  Flourish: "https://app.flourishsoftware.com/external/api/v1/facilities?limit=50&offset=0",
  "Flourish Wholesale": "https://app.flourishsoftware.com/external/api/v1/facilities?limit=50&offset=0",
  Flowhub: "https://api.flowhub.co/v0/clientsLocations",
  Meadow: "https://api.getmeadow.com/api/v1/organization",
  POSaBIT: [
    "v3/info",
    "v2/venue/info",
    "v3/venue/customers?page=1&per_page=1&start_date=2000-01-01&end_date=2099-12-31",
    "v2/venue/customers?page=1&per_page=1&start_date=2000-01-01&end_date=2099-12-31",
  ].map((path) => `https://app.posabit.com/api/${path}`),
  "Sage Intacct": "https://api.intacct.com/ia/xml/xmlgw.phtml",
  Treez: "https://api.treez.io/v2.0/dispensary/greenway/config/api/gettokens",
};
const realTypes = Object.keys(verifying) as ConnectablePosType[];
const experimentalTypes = readablePosTypes.filter(isExperimental);
const provenTypes = readablePosTypes.filter((posType) => !isExperimental(posType));
const dutchie = connectionTo("Dutchie", { recApiKey: "rec-key" });
let testEndpoint: FakeDutchie;

beforeEach(async () => {
  testEndpoint = new FakeDutchie(1, smallSize);
  await testEndpoint.start();
  vi.stubEnv("STAGE", "local");
  vi.stubEnv("POS_CONNECTORS", "sandbox");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await testEndpoint.close();
});

const findConnectable = () => connectablePosTypes.filter((posType) => findConnector(posType));

/** Credentials of a POS type. The texts are URLs, except a part of a path: no connector may request them. */
function credentialsFor(posType: ConnectablePosType): Record<string, string | number> {
  const { properties, required, oneOf = [] } = credentialSets[posTypes[posType].credentialSet];
  const sent = [...required, ...oneOf.slice(0, 1)];
  const sample = (name: string) => (name === "dispensaryName" ? "greenway" : "http://127.0.0.1");
  return Object.fromEntries(sent.map((name) => [name, properties[name]?.type === "number" ? 7 : sample(name)]));
}

test("with simulation, every POS type has a connector", () => {
  expect(findConnectable()).toEqual(connectablePosTypes);
});

describe.each(["prod", "staging"])("a stage %s with real POS systems", (stage) => {
  beforeEach(() => {
    vi.stubEnv("STAGE", stage);
    vi.stubEnv("POS_CONNECTORS", "real");
  });

  test.each<[string, ConnectablePosType[]]>([
    ["", []],
    ["Alleaves", ["Alleaves"]],
    [experimentalTypes.slice(-2).join(","), experimentalTypes.slice(-2)],
    ["alleaves,Metrc,constructor,", []],
    [experimentalTypes.join(","), experimentalTypes],
  ])("offers the types with a proof, and the experimental ones in %j", (listed, experimental) => {
    vi.stubEnv("EXPERIMENTAL_CONNECTORS", listed);
    const offered = realTypes.filter((posType) => [...provenTypes, ...experimental].includes(posType));
    expect(findConnectable()).toEqual(offered);
    expect(Object.keys(posCredentialsSchema())).toEqual(offered);
  });

  test("reports a failure for a connected business of a type that it does not offer", async () => {
    for (const posType of ["Alleaves", "Weave"] as const) {
      const connector = findConnectedConnector(posType) ?? expect.fail();
      const notOffered = { failure: "unreachable", code: "not_offered" };
      const request = { kind: "sale", since: null, position: null, now: new Date() } as const;
      await expect(connector.pull({ ...dutchie, posType }, request)).rejects.toMatchObject(notOffered);
      await expect(connector.verify({ ...dutchie, posType })).rejects.toMatchObject(notOffered);
    }
    expect(findConnectedConnector("Dutchie")).toBe(findConnector("Dutchie"));
    expect(findConnectedConnector("Manual Upload Retail")).toBeUndefined();
  });
});

test("every connector has a proof", () => {
  expect(readablePosTypes).toEqual(realTypes);
});

test("upload types have no connector, and are not simulated", () => {
  expect(findConnector("Manual Upload Retail")).toBeUndefined();
});

test("without simulation and real systems, no type has a connector", () => {
  vi.stubEnv("POS_CONNECTORS", "");
  expect(findConnectable()).toEqual([]);
});

test.each(["constructor", "__proto__", "", "Manual"])("%j is not a POS type", (posType) => {
  vi.stubEnv("POS_CONNECTORS", "real");
  expect(findConnector(posType)).toBeUndefined();
});

describe("a test double", () => {
  test.each(["sandbox", "real", ""])("is read instead of its POS (POS_CONNECTORS=%j)", async (connectors) => {
    vi.stubEnv("POS_CONNECTORS", connectors);
    vi.stubEnv("POS_DUTCHIE_URL", `${testEndpoint.url}/`);
    expect(await findConnector("Dutchie")?.verify(dutchie)).toMatchObject([{ id: "4101" }]);
    expect(await findConnector("Dutchie Wholesale")?.verify(dutchie)).toMatchObject([{ id: "4101" }]);
    expect(testEndpoint.requests).toHaveLength(2);
  });

  test("is not used without credentials: such connections are simulated", async () => {
    vi.stubEnv("POS_DUTCHIE_URL", testEndpoint.url);
    expect(await findConnector("Dutchie")?.verify({ ...dutchie, credentials: {} })).toMatchObject([{ id: "testing" }]);
    expect(await findConnector("Treez")?.verify(dutchie)).toMatchObject([{ id: "testing" }]);
    expect(testEndpoint.requests).toEqual([]);
  });

  test("is ignored in prod, and so is simulation: only the POS's own address is requested, with HTTPS", async () => {
    vi.stubEnv("STAGE", "prod");
    for (const variable of Object.values(testEndpointVariables)) vi.stubEnv(variable, testEndpoint.url);
    expect(findConnectable()).toEqual([]);
    vi.stubEnv("POS_CONNECTORS", "real");
    vi.stubEnv("EXPERIMENTAL_CONNECTORS", experimentalTypes.join(","));
    for (const name of partnerKeys) vi.stubEnv(name, "partner-key");
    // Requests are spaced.
    vi.spyOn(systemClock, "sleep").mockResolvedValue();
    let requested = new Set<string>();
    vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
      requested.add(String(url));
      expect(init).toMatchObject({ redirect: "error" });
      return new Response("", { status: 401 });
    });
    for (const posType of realTypes) {
      requested = new Set();
      const connection = { ...dutchie, credentials: credentialsFor(posType) };
      await expect(findConnector(posType)?.verify(connection)).rejects.toMatchObject({ failure: "credentialsRefused" });
      expect([...requested]).toEqual([verifying[posType]].flat());
    }
    expect(testEndpoint.requests).toEqual([]);
  });

  test.each(["standin", "ftp://standin", "http://user@standin", "http://standin?key=1"])(
    "does not accept the address %s",
    (address) => {
      vi.stubEnv("POS_DUTCHIE_URL", address);
      expect(() => findConnector("Dutchie")).toThrow(/^POS_DUTCHIE_URL must be a URL/);
    },
  );
});
