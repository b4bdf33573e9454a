import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { posCredentialsSchema } from "../../../shared/api/schemas/posCredentialsSchema.ts";
import { issueCredential } from "../../../shared/auth/credentials.ts";
import { useTestTable } from "../../useTestTable.ts";
import { callHandler } from "../callHandler.ts";

const table = useTestTable();

afterEach(() => vi.unstubAllEnvs());

async function answer() {
  const sp_id = randomUUID();
  const owner = { kind: "serviceProvider" as const, id: sp_id };
  const { secret } = await issueCredential(table(), { owner, spId: sp_id, scopes: ["service-provider:read"] });
  const { status, json } = await callHandler("getPosCredentialsSchema", { path: { sp_id }, authorization: secret });
  expect(status).toBe(200);
  return posCredentialsSchema.parse(json);
}

/**
 * The table of docs/spec.md#pos-credentials-schema: POS type, business type, whether a location is required, name of the set,
 * and its properties (`*` required, `#` number).
 */
const rows = `
Alleaves | retail | false | AlleavesTestAuth | username*, password*
BioTrack | retail | true | BiotrackTestAuth | username*, password*, server_ip*, port*#, database_name*
BioTrack Wholesale | wholesale | true | BiotrackTestAuth | username*, password*, server_ip*, port*#, database_name*
Blaze | retail | false | BlazeTestAuth | Authorization*
Canix | wholesale | true | CanixTestAuth | key*
Cova | retail | false | CovaTestAuth | username*, password*, clientId*, clientSecret*, companyId*#
Dutchie | retail | false | DutchieTestAuth | medApiKey, recApiKey
Dutchie Wholesale | wholesale | false | DutchieTestAuth | medApiKey, recApiKey
Flourish | retail | true | FlourishTestAuth | api_key*
Flourish Wholesale | wholesale | true | FlourishTestAuth | api_key*
Flowhub | retail | true | FlowhubTestAuth | key*, clientId*
Greenbits | retail | true | GreenbitsTestAuth | username*, password*
GrowFlow | retail | true | GrowFlowTestAuth | client_id_name*
GrowFlow Wholesale | wholesale | false | GrowFlowWholesaleTestAuth | state*, license_number*
IndicaOnline | retail | false | IndicaOnlineTestAuth | apiKey*, officeId*#
Meadow | retail | false | MeadowTestAuth | clientKey*
POSaBIT | retail | false | POSaBITTestAuth | apiToken*
Proteus420 | retail | false | Proteus420TestAuth | apiKey*, clientName*
Sage Intacct | wholesale | true | IntacctTestAuth | company_id*, user_id*, user_password*
Treez | retail | false | TreezTestAuth | apiKey, dispensaryName*, organizationId
Weave | retail | false | WeaveTestAuth | apiKey*
`;

test("lists every POS type with its credentials, in the order of the specification", async () => {
  vi.stubEnv("POS_CONNECTORS", "sandbox");
  const lines = Object.entries(await answer()).map(([key, { pos_type, ...type }]) => {
    expect(pos_type).toBe(key);
    const { credentials_name, credentials_properties, required_properties } = type.pos_credentials_schema;
    expect(required_properties).toEqual([...required_properties].sort());
    const properties = Object.entries(credentials_properties).map(
      ([name, property]) =>
        `${name}${required_properties.includes(name) ? "*" : ""}${property.type === "number" ? "#" : ""}`,
    );
    return [key, type.business_type, type.location_required, credentials_name, properties.join(", ")].join(" | ");
  });
  expect(lines).toEqual(rows.trim().split("\n"));
});

test("leaves out POS types without a connector in this stage", async () => {
  vi.stubEnv("POS_CONNECTORS", "");
  expect(await answer()).toEqual({});
});

test("prod lists an experimental POS type only if its settings do", async () => {
  vi.stubEnv("STAGE", "prod");
  vi.stubEnv("POS_CONNECTORS", "real");
  expect(Object.keys(await answer())).toContain("Dutchie");
  expect(Object.keys(await answer())).not.toContain("Alleaves");
  vi.stubEnv("EXPERIMENTAL_CONNECTORS", "Alleaves");
  expect(Object.keys(await answer())).toContain("Alleaves");
});
