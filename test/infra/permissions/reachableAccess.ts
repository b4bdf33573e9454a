import { globSync } from "node:fs";
import { join } from "node:path/posix";
import type { OtherAccess, TableAction } from "../../../infra/permissions/permissionSets.ts";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { eventsPartition } from "../../../shared/store/keys/events.ts";
import { type OrderedList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { keysFolder, type ResourceCall, readDeclaration } from "./readDeclarations.ts";

/** The resources that a function can reach. An action on an index has the index in its name, such as `Query byRank`. */
export interface ReachableAccess {
  /** Calls that name their partitions, by action and key function. `from` is the calling declaration. */
  named: Map<string, { action: string; partitions: readonly string[]; from: string }>;
  /** The actions of calls that receive their keys from elsewhere, each with a calling declaration. */
  open: Map<string, string>;
  /** The partitions that the code can name, by key function. */
  partitions: Map<string, readonly string[]>;
  objects: Set<"GetObject" | "PutObject" | "DeleteObject">;
  /** The kinds of journal entries that the module writes. */
  journal: Set<string>;
  other: Set<OtherAccess>;
}

const id = "00000000-0000-4000-8000-000000000000";

const actions: Readonly<Record<string, TableAction | "BatchWriteItem">> = {
  get: "GetItem",
  transactGet: "GetItem",
  batchGet: "BatchGetItem",
  batchGetRaw: "BatchGetItem",
  queryRaw: "Query",
  queryParts: "Query",
  queryPartition: "Query",
  put: "PutItem",
  putWrite: "PutItem",
  update: "UpdateItem",
  change: "UpdateItem",
  updateWrite: "UpdateItem",
  setWrite: "UpdateItem",
  delete: "DeleteItem",
  deleteWrite: "DeleteItem",
  batchDelete: "BatchWriteItem",
  checkWrite: "ConditionCheckItem",
};

const objectActions = {
  read: "GetObject",
  readBytes: "GetObject",
  readRange: "GetObject",
  store: "PutObject",
  storeBytes: "PutObject",
  storeOnce: "PutObject",
  remove: "DeleteObject",
} as const;

/** The declarations that use another resource. */
const users: Readonly<Record<string, OtherAccess>> = {
  "shared/domain/documents/bucket.ts#serviceBucket": "documents",
  "shared/platform/crypto/serviceKey.ts#serviceKey": "serviceKey",
  "shared/domain/invitations/addressDigest.ts#addressKey": "addressKey",
  "shared/domain/accessLog/serviceAccessLog.ts#serviceAccessLog": "accessLog",
  "shared/platform/crypto/sealing.ts#seal": "sealing",
  "shared/platform/crypto/sealing.ts#unseal": "unsealing",
  "shared/platform/crypto/sealing.ts#sealSecret": "webhookSealing",
  "shared/platform/crypto/sealing.ts#unsealSecret": "webhookUnsealing",
};

/** The environment variables that name another resource. */
const variables: Readonly<Record<string, OtherAccess>> = {
  POS_PARTNER_KEYS_SECRET: "partnerKeys",
  WEBHOOK_QUEUE_URL: "webhookQueue",
  REPLICATION_QUEUE_URL: "replicationQueue",
  RETRY_QUEUE_URL: "retryQueue",
  RESTORATION_QUEUE_URL: "restorationQueue",
  INVITATION_QUEUE_URL: "invitationQueue",
  EXPORT_QUEUE_URL: "exportQueue",
  STATEMENT_QUEUE_URL: "statementQueue",
  MAIL_CONFIGURATION_SET: "mail",
  CHANGES_BUCKET: "changeExports",
};

/** Checks the authorization of every operation. It has its own permissions, see `accessChecks`. */
export const authorization = "shared/http/endpoint.ts#endpoint";
/** Their methods stand for actions and are not read. */
const clients = ["shared/store/client.ts", "shared/domain/documents/bucket.ts"];

/**
 * Finds the resources that a declaration can reach through the declarations that it refers to, except through the
 * authorization. Every branch counts as taken.
 *
 * @param start `file#name`
 */
export function findReachableAccess(start: string): ReachableAccess {
  const access: ReachableAccess = {
    named: new Map(),
    open: new Map(),
    partitions: new Map(),
    objects: new Set(),
    journal: new Set(),
    other: new Set(),
  };
  const seen = new Set([start]);
  for (const each of seen) {
    const other = users[each];
    if (other) access.other.add(other);
    const [file = ""] = each.split("#");
    if (clients.includes(file) || (each === authorization && each !== start)) continue;
    const { calls, keys, references, variables: names } = readDeclaration(each);
    for (const call of calls) addCall(access, call, each);
    for (const key of keys) {
      const partitions = partitionsOf(key);
      if (partitions) access.partitions.set(key, partitions);
    }
    for (const name of names) if (variables[name]) access.other.add(variables[name]);
    for (const reference of references) seen.add(reference);
  }
  return access;
}

function addCall(
  access: ReachableAccess,
  { resource, method, index, keys, hasBuiltKeys, kind }: ResourceCall,
  from: string,
): void {
  if (resource === "journal") access.journal.add(kind ?? `unknown in ${from}`);
  if (resource === "bucket" && method in objectActions) {
    access.objects.add(objectActions[method as keyof typeof objectActions]);
    if (method === "read") access.other.add("arrivedUploads");
  }
  const action = actions[method];
  if (resource !== "table" || !action) return;
  const name = index ? `${action} ${index}` : action;
  const named = keys.flatMap((key) => {
    const partitions = partitionsOf(key);
    return partitions ? [{ key, partitions }] : [];
  });
  for (const { key, partitions } of named) access.named.set(`${name} ${key}`, { action: name, partitions, from });
  if (named.length === 0 || hasBuiltKeys) access.open.set(name, from);
}

const keyModules = await Promise.all(
  globSync(`${keysFolder}*.ts`).map((file) => import(join("../../..", file)) as Promise<Record<string, unknown>>),
);
const keyFunctions: Readonly<Record<string, unknown>> = Object.assign({}, ...keyModules);

/** The partitions that a key function names; undefined if its caller decides, by a list or a partition as argument. */
function partitionsOf(name: string): readonly string[] | undefined {
  const [, kind] = name.split(":");
  if (kind) return listPartitions(recordList(id, kind as "sale"));
  if (name === "recordList") return recordKinds.flatMap((each) => listPartitions(recordList(id, each)));
  const exported = keyFunctions[name];
  const first = ofShard.has(name) ? eventsPartition(id, 0) : id;
  const value = typeof exported === "function" ? tryCall(exported as (...ids: string[]) => unknown, first) : exported;
  if (typeof value === "string") return /[pP]artition$/.test(name) && value !== id ? [value] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if ("orders" in value) return listPartitions(value as OrderedList);
  return "pk" in value && typeof value.pk === "string" && value.pk !== id ? [value.pk] : undefined;
}

/** Key functions that derive a partition from that of a shard's events. */
const ofShard = new Set(["shardStatePrefix", "eventHeadKey", "webhookListenerKey", "waitingEventsKey"]);

const tryCall = (make: (...ids: string[]) => unknown, first: string): unknown => {
  try {
    return make(first, id, id);
  } catch {
    // The function needs a list.
    return undefined;
  }
};

const listPartitions = ({ pk, orders, totalsPartition }: OrderedList): string[] => [
  pk,
  ...(totalsPartition ? [totalsPartition] : []),
  ...Object.values(orders).flatMap(({ dayIndexPartition, slots }) => [dayIndexPartition, slots]),
];
