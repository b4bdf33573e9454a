import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type PersonRole, personRoles } from "../../../shared/api/enumerations.ts";
import { leastRole, type Route, requiredScopes } from "../../../shared/api/operation.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { authorize } from "../../../shared/auth/authorize.ts";
import { includesRole, roleScopes } from "../../../shared/auth/roles.ts";
import { createSecret, digestOf, secretInHeader } from "../../../shared/auth/secrets.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { credentialKey, tokenKey } from "../../../shared/store/keys/credentials.ts";
import { useTestTable } from "../../useTestTable.ts";

const table = useTestTable();
const [spId, crbId] = [randomUUID(), randomUUID()];
const owner = { kind: "serviceProvider" as const, id: spId };
const routes = operationRegistry
  .flatMap((operation) => operation.routes as readonly Route[])
  .filter(({ caller }) => caller === "serviceProvider");

beforeAll(() => table().put({ ...associationKey(spId, crbId) }));

/** Stores an identity provider and a token of a person. */
async function givenPerson(role: PersonRole, customers: boolean, change: Record<string, unknown> = {}) {
  const clientId = randomUUID();
  const persons = { role: "administrator", customers };
  const credential = { client_id: clientId, owner, sp_id: spId, scopes: roleScopes.administrator, persons };
  await table().put({ ...credentialKey(clientId), ...credential });
  const token = createSecret("at", clientId);
  const expires = Math.floor(Date.now() / 1000) + 3600;
  const person = { sub: "00u1", name: "Ana Ruiz", role };
  const stored = { scopes: roleScopes[role], person, issued_at: expires - 3600, expires, ...change };
  await table().put({ ...tokenKey(clientId, digestOf(token)), ...stored });
  return { clientId, token };
}

const ids = ({ path }: Route) => ({
  ...Object.fromEntries([...path.matchAll(/\{(\w+_id)\}/g)].map(([, name = ""]) => [name, randomUUID()])),
  sp_id: spId,
  ...(path.includes("{crb_id}") && { crb_id: crbId }),
});

const codeOf = (token: string, route: Route, kind?: string) =>
  authorize(table(), route, ids(route), secretInHeader(token), undefined, kind).then(
    () => "granted",
    (error) => error.details?.code ?? error.kind,
  );

describe.each(personRoles)("a %s", (role) => {
  test("calls exactly the operations of the role", async () => {
    const { token } = await givenPerson(role, true);
    for (const route of routes) {
      const expected = includesRole(role, leastRole(route))
        ? "granted"
        : expect.stringMatching(/^(scope|role)_missing$/);
      expect([route.operationId, await codeOf(token, route, "customers")]).toEqual([route.operationId, expected]);
    }
  });

  test("holds no scope that no operation of the role requires", () => {
    const own = routes.filter((route) => includesRole(role, leastRole(route)));
    expect(new Set(own.flatMap(requiredScopes))).toEqual(new Set(roleScopes[role]));
  });

  test("reads customers only if the identity provider permits it", async () => {
    const { token } = await givenPerson(role, false);
    const holding = routes.filter(({ holdsCustomers }) => holdsCustomers !== undefined);
    for (const route of holding) expect(await codeOf(token, route, "customers")).not.toBe("granted");
    const changes = holding.find(({ holdsCustomers }) => holdsCustomers === "byKind") as Route;
    expect(await codeOf(token, changes, "sales")).toBe("granted");
  });
});

// The list is a promise to banks: docs/access.md shows it, and only a reviewed change may widen a role.
test("the operations of each role are those that were reviewed", () => {
  const lines = routes.map((route) => `${route.operationId} ${leastRole(route)} ${route.holdsCustomers ?? ""}`);
  const writes = routes.filter(({ method }) => method !== "GET");
  expect(writes.filter((route) => leastRole(route) === "viewer")).toEqual([]);
  expect(writes.filter((route) => leastRole(route) === "reviewer").map(({ operationId }) => operationId)).toEqual([
    "linkCrbLicense",
    "unlinkCrbLicense",
    "storeDeposits",
    "deleteDeposit",
    "setCashCount",
    "deleteCashCount",
    "decideInsight",
    "addRequirementDocument",
    "updateRequirementDocumentStatus",
    "createDocumentUpload",
    "completeDocumentUpload",
    "createStatement",
  ]);
  const customers = /customer|export/i;
  for (const line of lines.filter((each) => customers.test(each.split(" ")[0] ?? ""))) expect(line).toMatch(/always$/);
});

test("every operation with customers in its responses needs the setting customers", () => {
  const holding = operationRegistry.filter((operation) =>
    operation.permissionSets.some((each) => each.startsWith("customers:") || each.startsWith("exports:")),
  );
  expect(holding.length).toBeGreaterThan(5);
  for (const { routes: all } of holding) {
    for (const route of all as readonly Route[])
      if (route.caller === "serviceProvider") expect(route.holdsCustomers).toBe("always");
  }
});

describe("a token of a person gets 401", () => {
  const read = routes.find(({ operationId }) => operationId === "getServiceProvider") as Route;

  test.each<[string, Record<string, unknown>]>([["without a person", { person: undefined }]])(
    "%s",
    async (_, change) => {
      const { token } = await givenPerson("viewer", true, change);
      expect(await codeOf(token, read)).toBe("unauthorized");
    },
  );

  test("with a wider role than the settings give", async () => {
    const { clientId, token } = await givenPerson("administrator", true);
    await table().update(credentialKey(clientId), { persons: { role: "reviewer", customers: true } });
    expect(await codeOf(token, read)).toBe("unauthorized");
  });

  test("with a program's credential", async () => {
    const { clientId, token } = await givenPerson("viewer", true);
    await table().change(credentialKey(clientId), { expression: "REMOVE persons" });
    expect(await codeOf(token, read)).toBe("unauthorized");
  });

  test("if it is sent as an API key of the identity provider, which has none", async () => {
    const { clientId } = await givenPerson("viewer", true);
    expect(await codeOf(createSecret("sk", clientId), read)).toBe("unauthorized");
  });
});

test("a token has no scope beyond its role", async () => {
  const { token } = await givenPerson("viewer", true, { scopes: roleScopes.administrator });
  const create = routes.find(({ operationId }) => operationId === "createCrb") as Route;
  expect(await codeOf(token, create)).toBe("role_missing");
});
