import { describe, expect, test } from "vitest";
import { accessChecks } from "../../../infra/permissions/accessChecks.ts";
import { type PermissionSet, type Permissions, permissionSets } from "../../../infra/permissions/permissionSets.ts";
import { background } from "../../../infra/stacks/background.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { journalFolder } from "../../../shared/domain/documents/journal.ts";
import { associationKey } from "../../../shared/store/keys/crbs.ts";
import { entryPrefix } from "../../../shared/store/keys/indexEntries.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import { isLike } from "../../system/deployed/iamPolicy.ts";
import { authorization, findReachableAccess, type ReachableAccess } from "./reachableAccess.ts";
import { untakenBranches } from "./untakenBranches.ts";

// Compares the permission sets of each function with the calls in its source text, without running it. The tests of the
// deployed stage (test/system/deployed/api.long.test.ts) compare them with the calls of real requests.

interface Checked {
  name: string;
  reached: ReachableAccess;
  own: readonly PermissionSet[];
  /** Permissions for the authorization, which the code of the handler may use as well. */
  shared?: readonly PermissionSet[];
}

const startOf = (handler: string) => findReachableAccess(`functions/${handler}.ts#handler`);

const functions: Checked[] = [
  ...operationRegistry.map((operation) => ({
    name: operation.handler,
    reached: startOf(operation.handler),
    own: operation.permissionSets,
    shared: accessChecks(operation),
  })),
  ...Object.values(background).map(({ handler, permissionSets: own }) => ({
    name: handler,
    reached: startOf(handler),
    own,
  })),
  ...[...Map.groupBy(pages, ({ handler }) => handler)].map(([name, routes]) => ({
    name,
    reached: startOf(name),
    own: [...new Set(routes.flatMap(({ permissionSets: sets = [] }) => sets))],
  })),
  {
    name: "the authorization",
    reached: findReachableAccess(authorization),
    own: [...new Set(operationRegistry.flatMap((operation) => accessChecks(operation)))],
  },
];

interface Grants {
  table: readonly { action: string; partition: string }[];
  objects: readonly { action: string; keys: string }[];
  other: ReadonlySet<string>;
}

function grantsOf(sets: readonly PermissionSet[]): Grants {
  const permissions: Permissions[] = sets.map((set) => permissionSets[set]);
  return {
    table: permissions
      .flatMap(({ table = [] }) => table)
      .flatMap(({ action, index, partitions }) =>
        partitions.map((partition) => ({ action: index ? `${action} ${index}` : action, partition })),
      ),
    objects: permissions.flatMap(({ objects = [] }) => objects),
    other: new Set(permissions.flatMap(({ other = [] }) => other)),
  };
}

const anyLike = (partitions: readonly string[], pattern: string) => partitions.some((each) => isLike(each, pattern));

/** Whether a granted action is the reached one. `Query order` stands for the index of any order of a list. */
const isAction = (granted: string, reached: string) =>
  granted === reached || (reached === "Query order" && granted.startsWith("Query by"));

function findMissing({ name, reached, own, shared = [] }: Checked): string[] {
  const { table, objects, other } = grantsOf([...own, ...shared]);
  const journal = [...reached.journal].filter(
    (kind) => !objects.some(({ keys }) => keys.startsWith(`${journalFolder}${kind}/`)),
  );
  return [
    ...[...reached.named]
      .filter(
        ([, { action, partitions }]) =>
          !table.some((grant) => isAction(grant.action, action) && anyLike(partitions, grant.partition)),
      )
      .map(([access]) => access),
    ...[...reached.open.keys()].filter((action) => !table.some((grant) => isAction(grant.action, action))),
    ...[...reached.partitions]
      .filter(([, partitions]) => !table.some((grant) => anyLike(partitions, grant.partition)))
      .map(([key]) => `partition of ${key}`),
    ...[...reached.objects].filter((action) => !objects.some((grant) => grant.action === action)),
    ...journal.map((kind) => `journal entry ${kind}`),
    ...[...reached.other].filter((each) => !other.has(each)),
  ].map((access) => `${name} ${access}`);
}

function findSuperfluous({ name, reached, own }: Checked): string[] {
  const { table, objects, other } = grantsOf(own);
  const named = [...reached.named.values()];
  const partitions = [...reached.partitions.values()].flat();
  const isUsed = (grant: { action: string; partition: string }) =>
    named.some((call) => isAction(grant.action, call.action) && anyLike(call.partitions, grant.partition)) ||
    ([...reached.open.keys()].some((action) => isAction(grant.action, action)) && anyLike(partitions, grant.partition));
  const isWritten = (keys: string) =>
    !keys.startsWith(journalFolder) || reached.journal.has(keys.slice(journalFolder.length, keys.indexOf("/*")));
  return [
    ...table.filter((grant) => !isUsed(grant)).map(({ action, partition }) => `${action} ${partition}`),
    ...objects
      .filter(({ action, keys }) => !reached.objects.has(action as "PutObject") || !isWritten(keys))
      .map(({ action, keys }) => `${action} ${keys}`),
    ...[...other].filter((each) => !(reached.other as ReadonlySet<string>).has(each)),
  ].map((grant) => `${name} ${grant}`);
}

/** Grants of a handler's permission sets that only the authorization uses. */
const usedByAuthorization =
  /^(authentication\/exchangeToken GetItem CREDENTIAL#|stateSystems\/\w+ GetItem SERVICE_PROVIDER#[?-]+#CRB$)/;

/** A grant that only a dynamic import uses. `findReachableAccess` does not follow dynamic imports. */
const usedByDynamicImport = /^crbs\/createCrb documents$/;

describe("the permission sets", () => {
  const missing = functions.flatMap(findMissing);

  test("grant every call that the code of a function can make", () => {
    const unexplained = missing.filter((access) => !untakenBranches.some(({ pattern }) => pattern.test(access)));
    expect(unexplained, "Add the permission, or the reason to untakenBranches.ts").toEqual([]);
  });

  test("grant nothing that the code of a function cannot use", () => {
    const superfluous = functions.flatMap(findSuperfluous);
    const isExplained = (grant: string) => usedByAuthorization.test(grant) || usedByDynamicImport.test(grant);
    expect(superfluous.filter((grant) => !isExplained(grant))).toEqual([]);
  });

  test("explain no branch that no longer exists", () => {
    const unused = untakenBranches.filter(({ pattern }) => !missing.some((access) => pattern.test(access)));
    expect(unused).toEqual([]);
  });

  test("let every function that names the entries of an indexed field query them", () => {
    const readers = functions.filter(({ reached }) => reached.partitions.has("entryRange"));
    const denied = readers.filter(
      ({ own }) =>
        !grantsOf(own).table.some((grant) => grant.action === "Query" && grant.partition.startsWith(entryPrefix)),
    );
    expect(readers.length).toBeGreaterThan(1);
    expect(denied.map(({ name }) => name)).toEqual([]);
  });

  test("of an invited user's operation let the authorization read the association again", () => {
    const id = "00000000-0000-4000-8000-000000000000";
    const ofUsers = operationRegistry.filter(({ routes }) => routes.some(({ caller }) => caller === "invitedUser"));
    const denied = ofUsers.filter(
      (operation) =>
        !grantsOf(operation.permissionSets).table.some(
          ({ action, partition }) => action === "GetItem" && isLike(associationKey(id, id).pk, partition),
        ),
    );
    expect(ofUsers.length).toBeGreaterThan(5);
    expect(denied.map(({ handler }) => handler)).toEqual([]);
  });
});
