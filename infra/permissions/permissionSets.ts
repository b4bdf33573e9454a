import { recordKinds } from "../../shared/api/kinds.ts";
import type { PermissionSet as OperationCapability } from "../../shared/api/operation.ts";
import { journalPrefix } from "../../shared/domain/documents/journal.ts";
import { snapshotPrefix } from "../../shared/domain/documents/objectPrefixes.ts";
import { generationsPrefix } from "../../shared/domain/licenses/generation.ts";
import { accessReportsDuePartition, accessReportsPartition } from "../../shared/store/keys/accessReports.ts";
import { crbHistoryPartition } from "../../shared/store/keys/crbHistory.ts";
import {
  associationKey,
  crbKey,
  einKey,
  idempotencyKey,
  posCredentialsKey,
  serviceProviderKey,
  serviceProviderListKey,
} from "../../shared/store/keys/crbs.ts";
import {
  credentialExpiryPartition,
  credentialKey,
  credentialListKey,
  credentialNoticePartition,
  credentialUseKey,
  identityProviderKey,
  issuedCredentialsKey,
  issuerKey,
  personKey,
  posChecksKey,
  posChecksOfInvitedKey,
  rateLimitKey,
  shortNameKey,
  tokenCountKey,
} from "../../shared/store/keys/credentials.ts";
import {
  depositPartition,
  reconciledCrbPartition,
  reconciliationPartition,
  reconciliationSweepKey,
} from "../../shared/store/keys/deposits.ts";
import { eventsPartition } from "../../shared/store/keys/events.ts";
import { exportDuePartition, exportKey, exportLinksKey, runningExportKey } from "../../shared/store/keys/exports.ts";
import { entryPrefix } from "../../shared/store/keys/indexEntries.ts";
import {
  insightsDuePartition,
  insightsPartition,
  providerInsightsPartition,
} from "../../shared/store/keys/insights.ts";
import { outboxPartition, snapshotPartition, stockedLocationKey } from "../../shared/store/keys/inventory.ts";
import {
  invitationMailsKey,
  invitationsKey,
  invitationTokenKey,
  invitedAddressKey,
  linkRequestsKey,
  unsentInvitationsKey,
} from "../../shared/store/keys/invitations.ts";
import { licensedPrefix, licensesKey, linkedLicensesPartition } from "../../shared/store/keys/licenses.ts";
import {
  documentsToReviewPartition,
  removalPartition,
  templateKey,
  uploadKey,
} from "../../shared/store/keys/onboarding.ts";
import {
  crbList,
  documentList,
  fingerprintsPrefix,
  type ListOrder,
  locationInventoryList,
  type OrderedList,
  recordList,
  salesTotalsPartition,
} from "../../shared/store/keys/orderedLists.ts";
import { overviewPartition } from "../../shared/store/keys/overview.ts";
import {
  erasedKey,
  freshnessPartition,
  posTypeKey,
  replicationDuePartition,
  replicationKey,
  restorationKey,
  restoringKey,
  restoringOfKey,
} from "../../shared/store/keys/replication.ts";
import { statementsDuePartition, statementsPartition } from "../../shared/store/keys/statements.ts";
import { stateConnectionsPartition, stateDaysPartition } from "../../shared/store/keys/stateSystems.ts";
import { storedFormatKey } from "../../shared/store/keys/storedFormat.ts";
import {
  deliveryCountKey,
  deliveryKey,
  enabledWebhookKey,
  webhookEndpointKey,
  webhookPositionKey,
  webhookSweepKey,
} from "../../shared/store/keys/webhooks.ts";
import type { IndexName } from "../../shared/store/schema.ts";
import type { QueueName, workQueues } from "../stages/workQueue.ts";

// What each permission set allows, as data; policy.ts turns it into IAM statements. IAM distinguishes items only by
// partition key (dynamodb:LeadingKeys), so table permissions name actions and patterns of partition keys. The key
// functions themselves build the patterns, with a wildcard as the id.

export type TableAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "BatchWriteItem"
  | "ConditionCheckItem";

/** An action on the items of some partitions, in the table or in `index`. `?` matches one character, `*` any text. */
export interface TableAccess {
  action: TableAction;
  index?: IndexName;
  partitions: readonly string[];
}

/** An action on objects whose keys match a pattern. */
interface ObjectAccess {
  action: "GetObject" | "PutObject" | "DeleteObject";
  keys: string;
}

/** Sending to a queue. The functions that a queue invokes receive its messages without a permission set. */
export type QueueAccess = `${(typeof workQueues)[QueueName]["one"]}Queue`;

/** Access to other resources. policy.ts maps it to statements and environment variables. */
export type OtherAccess =
  | QueueAccess
  | "documents"
  | "arrivedUploads"
  | "serviceKey"
  | "addressKey"
  | "partnerKeys"
  | "sealing"
  | "unsealing"
  | "webhookSealing"
  | "webhookUnsealing"
  | "accessLog"
  | "mail"
  | "changeExports";

export interface Permissions {
  table?: readonly TableAccess[];
  objects?: readonly ObjectAccess[];
  other?: readonly OtherAccess[];
}

/** Matches any id, since every id is a UUID. */
const id = "????????-????-????-????-????????????";
/** Callers choose location ids freely. An unknown id must yield an empty result, not an IAM error. */
const anyLocation = "*";

const access =
  (action: TableAction) =>
  (...partitions: string[]): TableAccess => ({ action, partitions });
const get = access("GetItem");
const batchGet = access("BatchGetItem");
const query = access("Query");
const put = access("PutItem");
const update = access("UpdateItem");
const remove = access("DeleteItem");
const batchRemove = access("BatchWriteItem");
const check = access("ConditionCheckItem");
const queryByRank = (...partitions: string[]): TableAccess => ({ action: "Query", index: "byRank", partitions });
const objectAccess =
  (action: ObjectAccess["action"]) =>
  (keys: string): ObjectAccess => ({ action, keys });
const getObject = objectAccess("GetObject");
const putObject = objectAccess("PutObject");
const deleteObject = objectAccess("DeleteObject");
/** Writes an entry of the journal, before the change that the entry is about. */
const note = (kind: Parameters<typeof journalPrefix>[0]) => putObject(`${journalPrefix(kind)}*`);

const [credentialUse, credentialList] = [credentialUseKey(id).pk, credentialListKey(id, id).pk];
const [credential, association] = [credentialKey(id).pk, associationKey(id, id).pk];
const issuersPattern = issuerKey("", "").pk.replace(/#.*/, "#*");
const accessTokens = tokenCountKey(id).pk;
const identityProvider = identityProviderKey(id).pk;
const personNames = personKey(id, "").pk;
/** Callers choose short names; issuers are digests. */
const [shortNames, issuers] = [shortNameKey("*").pk, issuersPattern];
const exportLinks = exportLinksKey(id, "").pk;
const [crb, serviceProvider] = [crbKey(id).pk, serviceProviderKey(id).pk];
const serviceProviders = serviceProviderListKey("").pk;
const organization = einKey(id, "").pk;
const idempotency = idempotencyKey(id, "").pk;
const template = templateKey(id, id).pk;
const invitations = invitationsKey(id).pk;
const invitationToken = invitationTokenKey(id).pk;
/** Digests of addresses, in base64url. */
const [invitedAddress, linkRequests] = [invitedAddressKey("*", id).pk, linkRequestsKey("*", "").pk];
const invitationMails = invitationMailsKey(id, "").pk;
const linkedLicenses = linkedLicensesPartition(id);
const unsent = unsentInvitationsKey(id).pk;
const posCredentials = posCredentialsKey(id).pk;
const stateDays = stateDaysPartition(id);
const upload = uploadKey(id, id).pk;
/** Ids are UUIDs, so no other partition begins like this. A short pattern keeps the policy of the worker within its limit. */
const replication = replicationKey("*", "customer").pk;
const restoring = restoringKey(id).pk;
const restored = restoringOfKey(id, "").pk;
const dueTimes = replicationDuePartition("*");
const posType = posTypeKey("*").pk;
const exports = exportKey(id, id).pk;
const exportLine = runningExportKey(id).pk;
const accessReports = accessReportsPartition(id);
const [statements, crbHistory] = [statementsPartition(id), crbHistoryPartition(id)];
const erased = erasedKey(id, id).pk;
const dailySnapshots = snapshotPartition(id, anyLocation);
const outbox = outboxPartition(id);
const stockedLocations = stockedLocationKey(id, id).pk;
const events = eventsPartition(id, "*");
const webhooks = webhookEndpointKey(id, "").pk;
const enabledWebhooks = enabledWebhookKey("", "").pk;
const webhookPositions = webhookPositionKey(id, 0).pk;
const deliveries = deliveryKey(id, "", "").pk;
const deliveryCounts = deliveryCountKey(id, "", 0).pk;
const entries = `${entryPrefix}*`;
const crbs = crbList(id);
const [customers, products, locations, inventory, sales] = (
  ["customer", "product", "location", "inventory", "sale"] as const
).map((kind) => recordList(id, kind)) as [OrderedList, OrderedList, OrderedList, OrderedList, OrderedList];
const salesTotals = salesTotalsPartition(id);
const [deposits, reconciliation] = [depositPartition(id), reconciliationPartition(id)];
const [insights, providerInsights] = [insightsPartition(id), providerInsightsPartition(id)];
const licensed = `${licensedPrefix}*`;
const locationInventory = locationInventoryList(id, anyLocation);
const documents = documentList(id);
/** Shorter patterns, for the policy of a function that needs many partitions. Each has one id, which any text then stands for. */
const shortened = (...partitions: string[]) => partitions.map((each) => each.replace(id, "*"));
const overview = overviewPartition(id);
const documentsToReview = documentsToReviewPartition(id);

/** Reads pages of a list in which every record keeps its position. */
const densePages = (list: OrderedList, order: ListOrder = list.orders.rank): TableAccess[] => [
  query(order.dayIndexPartition),
  { action: "Query", index: order.index, partitions: [list.pk] },
];

/** Reads pages of any list. Also reads which sequence numbers of single days, or of a range of days, are empty. */
const pages = (list: OrderedList, order: ListOrder = list.orders.rank): TableAccess[] => [
  ...densePages(list, order),
  batchGet(order.slots),
  query(order.slots),
];

/** Maintains the positions in a list from which records are never removed. */
const densePlaces = ({ dayIndexPartition: dayIndex }: ListOrder): TableAccess[] => [
  query(dayIndex),
  put(dayIndex),
  check(dayIndex),
];

/** Maintains the positions of records that are added to a list, and deletes days that have become empty. */
const newPlaces = (order: ListOrder): TableAccess[] => [...densePlaces(order), put(order.slots), remove(order.slots)];

/** Maintains the positions of records that are added to a list or removed from it. */
const places = (order: ListOrder): TableAccess[] => [...newPlaces(order), batchGet(order.slots)];

/** Embeds products in inventory records, and detects changes of these products. */
const expansion = [query(products.orders.rank.dayIndexPartition), batchGet(products.pk)];

const putEvents = put(events);
/** Stores events and assigns their positions in the log. */
const tell = [update(events), query(events), putEvents, remove(events)];

/** Reads the delivery positions of a webhook endpoint. */
const webhookProgress = [query(events, webhookPositions), get(events)];

/** Maintains the licenses of CRBs, and the lists of CRBs by the status of their licenses. */
const licensePlaces = [get, batchGet, put, remove, query, check].map((permit) => permit(licensed));

/** Moves a CRB to the front of its service provider's lists. */
const crbChange = [
  get(crb, association),
  ...places(crbs.orders.rank),
  put(crb, association),
  ...licensePlaces,
  ...tell,
];

const onboarding = [get(crb), query(documents.pk)];
/** Changes a requirement's documents and answers, and the CRB if the requirement's status changes. */
const onboardingChange = [
  ...onboarding,
  ...crbChange,
  check(crb, association),
  put(documents.pk, documentsToReview),
  remove(documentsToReview),
];

/** Has the access of `onboardingChange`. Also changes the list of documents, and plans the removal of an object. */
const documentChange = [...onboardingChange, ...densePlaces(documents.orders.rank), put(removalPartition)];

/** Changes a CRB's onboarding status. */
const standingChange = [batchGet(crb), ...crbChange];
/** Ends replications by taking over their leases. */
const replicationEnd = [batchGet(replication), check(replication), update(replication), put(replication)];

const replicated = recordKinds.map((kind) => recordList(id, kind));
/** Writes records of a list: compares with the stored records, then writes in transactions under a lease. */
const records = [...replicated, locationInventory].flatMap((list) => [
  batchGet(list.pk),
  put(list.pk),
  ...Object.values(list.orders).flatMap(places),
]);

/** Recognizes unchanged records by their fingerprints, and reads the empty sequence numbers of many days at once. */
const fingerprints = [
  batchGet(`${fingerprintsPrefix}*`),
  put(`${fingerprintsPrefix}*`),
  query(...replicated.map((list) => list.orders.rank.slots)),
];

/** Stores the totals of sales days, and reports revised days. */
const salesDays = [batchGet(salesTotals), query(salesTotals), put(salesTotals), remove(salesTotals)];

/** Keys of documents, and of uploads that are not documents yet. */
export const stored = `${id}/*`;
export const uploaded = `uploads/${id}/*`;
/** Keys of the daily snapshots of inventory. */
const snapshotFiles = `${snapshotPrefix(id)}*`;
/** Keys of the files of exports. */
export const exported = `exports/${id}/${id}/*`;
export const statementFiles = `statements/${id}/${id}/*`;
/**
 * Any complete key of an upload, see `newStorageKey`. The pattern matches no key without the random part, which callers
 * cannot guess.
 */
export const uploadedKey = `uploads/${id}/${"?".repeat(43)}`;

/** Finds the export of a service provider that should run next. */
const nextExport = [get(exports, exportLine), query(exportLine, restored), remove(exportLine)];

/** Ends an export: stores its end with an event, and removes its files. */
const exportEnd = {
  table: [
    get(exports),
    update(exports),
    put(exports, exportDuePartition),
    remove(exportDuePartition, exportLine),
    ...tell,
  ],
  objects: [deleteObject(exported)],
};

/** Ends the resources of a credential that was revoked or has expired, see revokeCredentialAndResources.ts. */
const credentialEnd = joined(exportEnd, {
  table: [
    get(credential, webhooks),
    update(credential),
    query(credentialList, crbs.pk, upload, removalPartition, webhooks, exportLinks),
    batchGet(credential, invitations, exports),
    update(invitations),
    put(webhooks),
    remove(enabledWebhooks, invitationToken, upload),
  ],
  // Written in place of an upload that must never complete.
  objects: [putObject(uploaded)],
});

/** Stores a change of a statement, also its end, with an event that requires the association. */
const statementEnd = [
  get(statements),
  put(statements),
  update(statements),
  remove(statementsDuePartition),
  check(association),
  ...tell,
];

function joined(...sets: readonly Permissions[]): Permissions {
  return {
    table: sets.flatMap(({ table = [] }) => table),
    objects: sets.flatMap(({ objects = [] }) => objects),
    other: sets.flatMap(({ other = [] }) => other),
  };
}

/** Adds what other access needs: a writer of events requests their deliveries, and objects are in the bucket of documents. */
function complete({ table = [], objects = [], other = [] }: Permissions): Permissions {
  const queue = table.includes(putEvents) ? (["webhookQueue"] as const) : [];
  return { table, objects, other: [...other, ...queue, ...(objects.length > 0 ? (["documents"] as const) : [])] };
}

/** A list of accesses to the table is a set without other permissions. */
const namedSets = {
  // All functions that use the table have this set, see `accessOf`.
  "storedFormat:check": [get(storedFormatKey.pk)],
  "credentials:check": [batchGet(credential, accessTokens, invitationToken)],
  "restoration:check": [batchGet(restoring)],
  "invitationTokens:end": [get(invitationToken), put(invitationToken)],
  "credentialUse:record": [update(credentialUse)],
  "credentials:list": [query(credentialList), batchGet(credential, credentialUse)],
  "credentials:revoke": joined(credentialEnd, { table: [batchGet(credentialUse)], objects: [note("revocation")] }),
  "credentialKeys:set": {
    table: [get(credential), check(credential), update(credential), batchGet(credential, credentialUse), ...tell],
    objects: [note("key")],
  },
  "credentials:expire": joined(credentialEnd, {
    table: [
      query(credentialExpiryPartition, credentialNoticePartition),
      remove(credentialExpiryPartition, credentialNoticePartition),
    ],
  }),
  "associations:check": [batchGet(association)],
  "allowance:use": [update(rateLimitKey(id, "", "").pk)],
  "tokens:issue": [
    get(credential, accessTokens, identityProvider),
    batchGet(credential, identityProvider),
    check(credential, identityProvider),
    put(accessTokens, personNames),
    update(accessTokens),
  ],
  "identityProviders:read": [get(identityProvider, credential)],
  "identityProviders:set": {
    table: [
      get(identityProvider, credential),
      check(serviceProvider, credential),
      put(identityProvider, shortNames, issuers, credential, credentialList),
      put(credentialExpiryPartition, credentialNoticePartition),
      remove(shortNames, issuers),
      update(credential),
      ...tell,
    ],
    objects: [note("revocation")],
  },
  "identityProviders:remove": joined(credentialEnd, {
    table: [get(identityProvider), remove(identityProvider, shortNames, issuers)],
    objects: [note("revocation")],
  }),
  "signIns:read": [get(shortNames, identityProvider, serviceProvider)],
  "signInSettings:read": [get(shortNames, identityProvider)],
  "crbAccess:issue": {
    table: [
      batchGet(association, issuedCredentialsKey(id, id).pk),
      query(credentialList),
      check(association, credential),
      put(credential, credentialList, credentialNoticePartition, issuedCredentialsKey(id, id).pk),
      update(credential),
      ...tell,
    ],
    objects: [note("revocation")],
  },
  "serviceProviders:read": [get(serviceProvider)],
  "crbs:read": [get(crb)],
  "crbs:list": [...pages(crbs), batchGet(crb)],
  // After a change of the time zone, replication reads all records again.
  "crbs:change": [...crbChange, query(linkedLicenses), update(organization), ...replicationEnd, put(dueTimes)],
  "crbs:create": [
    get(idempotency, template, invitationMails),
    batchGet(organization, crb, invitations),
    query(template),
    get(crb, association),
    check(serviceProvider, credential, crb),
    ...newPlaces(crbs.orders.rank),
    put(crb, association),
    update(organization, invitationMails),
    put(idempotency, posCredentials, invitations, unsent, dueTimes),
    ...tell,
  ],
  "licenses:search": { table: [get(licensesKey.pk)], objects: [getObject(`${generationsPrefix}*`)] },
  "crbsByLicense:list": [query(licensed), queryByRank(licensed), batchGet(licensed, crb)],
  "linkedLicenses:list": [get(licensesKey.pk, crb), query(linkedLicenses, licensed)],
  "linkedLicenses:add": [
    get(crb),
    batchGet(linkedLicenses),
    check(association, licensesKey.pk, crb),
    put(linkedLicenses, crbHistory),
    ...licensePlaces,
    ...tell,
  ],
  "linkedLicenses:compare": [
    get(licensesKey.pk, crb),
    query(serviceProviders, linkedLicenses),
    batchGet(serviceProvider, linkedLicenses),
    check(licensesKey.pk, association, crb),
    put(licensesKey.pk, linkedLicenses, crbHistory),
    ...licensePlaces,
    ...tell,
  ],
  "linkedLicenses:remove": [
    get(licensesKey.pk, crb),
    batchGet(linkedLicenses),
    put(crbHistory),
    remove(linkedLicenses),
    ...licensePlaces,
    ...tell,
  ],
  "templates:list": [query(template)],
  "customers:list": pages(customers),
  "customers:read": [get(customers.pk)],
  "customers:search": [query(customers.orders.rank.dayIndexPartition, entries), batchGet(customers.pk), get(crb)],
  "products:list": pages(products),
  "products:read": [get(products.pk)],
  "locations:list": pages(locations),
  "locations:read": [get(locations.pk)],
  "inventory:list": [...pages(inventory), ...expansion],
  "inventory:read": [get(inventory.pk), batchGet(products.pk)],
  "locationInventory:list": {
    table: [...pages(locationInventory), get(locations.pk, crb), query(dailySnapshots), ...expansion],
    objects: [getObject(snapshotFiles)],
  },
  "sales:explain": [get(sales.pk, crb)],
  "sales:list": [
    ...pages(sales),
    ...pages(sales, sales.orders.saleRank),
    get(crb),
    query(entries),
    { action: "Query", index: "byCustomerRank", partitions: [sales.pk] },
    batchGet(sales.pk),
  ],
  "salesDays:list": [batchGet(crb, replication), query(salesTotals, sales.orders.rank.dayIndexPartition)],
  "deposits:list": [queryByRank(deposits)],
  "cashCounts:list": [query(reconciliation)],
  "reconciliation:settings": [get(reconciliation)],
  "deposits:store": [batchGet(deposits), put(deposits)],
  "deposits:remove": [batchGet(deposits), remove(deposits)],
  "reconciliation:list": [get(reconciliation), put(reconciledCrbPartition)],
  /** Changes the sums of days. */
  "reconciliation:change": [batchGet(reconciliation)],
  "reconciliation:read": [
    batchGet(crb, replication),
    query(salesTotals, sales.orders.rank.dayIndexPartition, reconciliation),
  ],
  /** Changes settings or sums, and reports days at the end of a request. */
  "reconciliation:write": [
    check(association),
    update(reconciliation),
    put(reconciliation, insightsDuePartition),
    ...tell,
  ],
  "reconciliation:report": [
    get(restoring, reconciliationSweepKey.pk),
    query(reconciledCrbPartition),
    put(reconciliation, insightsDuePartition, reconciliationSweepKey.pk),
    remove(reconciliationSweepKey.pk),
    ...tell,
  ],
  "stateConnections:list": [get(association, stateConnectionsPartition)],
  "stateConnections:set": [
    get(crb, association, stateConnectionsPartition),
    query(linkedLicenses),
    check(association),
    update(crb, posCredentials),
    put(stateConnectionsPartition),
  ],
  "stateConnections:remove": {
    table: [get(association, stateConnectionsPartition), put(stateConnectionsPartition), update(posCredentials)],
    objects: [note("disconnection")],
  },
  "stateDays:list": [get(stateConnectionsPartition), query(linkedLicenses, stateDays)],
  "stateDays:read": {
    table: [
      get(crb, stateConnectionsPartition, posCredentials, providerInsights),
      query(stateConnectionsPartition, linkedLicenses, stateDays),
      check(stateConnectionsPartition),
      put(stateConnectionsPartition, stateDays, insightsDuePartition),
      remove(stateConnectionsPartition, posCredentials),
      ...tell,
    ],
    other: ["unsealing", "partnerKeys"],
  },
  "insights:list": [queryByRank(insights, providerInsights), get(association), batchGet(insights)],
  "crbInsights:list": [get(insights), queryByRank(insights)],
  "insights:decide": [get(insights, providerInsights), check(association), put(insights, providerInsights), ...tell],
  "insightSettings:read": [get(providerInsights)],
  "insightSettings:change": [put(providerInsights)],
  "insights:compute": [
    get(restoring, providerInsights, reconciliation, stateConnectionsPartition),
    batchGet(crb, insights, licensesKey.pk),
    query(insightsDuePartition, insights, providerInsights, salesTotals, linkedLicenses),
    check(association),
    put(insights, providerInsights),
    remove(insightsDuePartition),
    ...pages(sales, sales.orders.saleRank),
    ...tell,
  ],
  "overview:read": [
    query(crbs.pk, overview, documentsToReview, restored),
    queryByRank(providerInsights),
    ...pages(crbs),
    batchGet(crb),
  ],
  "overview:compute": [
    query(serviceProviders, crbs.pk, overview, linkedLicenses, reconciledCrbPartition, restored),
    query(salesTotals, sales.orders.rank.dayIndexPartition, reconciliation),
    batchGet(serviceProvider, crb, replication),
    put(overview),
    batchRemove(overview),
  ],
  "changes:read": replicated.flatMap((list) => pages(list)),
  "replications:read": [
    batchGet(crb, replication, dueTimes),
    query(...replicated.map((list) => list.orders.rank.dayIndexPartition)),
  ],
  "exports:create": {
    table: [
      get(idempotency, exports, association),
      check(association, credential),
      update(exports),
      put(exports, exportDuePartition, exportLine, idempotency),
      ...nextExport,
    ],
    other: ["exportQueue"],
  },
  "exports:list": [query(exports)],
  "exports:read": [get(exports)],
  // Signs as the role that reads the files of exports, see exportLinks.ts. Before, it records who gets the links.
  "exports:sign": { table: [get(exportLinks), put(exportLinks), check(credential)], other: ["documents"] },
  "exports:delete": joined(exportEnd, { table: nextExport, other: ["exportQueue"] }),
  "exports:run": joined(exportEnd, {
    table: [
      ...replicated.flatMap((list) => pages(list)),
      get(restoring),
      batchGet(crb, replication),
      put(removalPartition, exportLine),
      remove(removalPartition),
      ...nextExport,
    ],
    objects: [putObject(exported)],
    other: ["exportQueue"],
  }),
  "exports:sweep": joined(exportEnd, {
    table: [query(exportDuePartition), batchGet(exports), put(exportLine), ...nextExport],
    other: ["exportQueue"],
  }),
  "accessReports:create": {
    table: [check(serviceProvider, credential), update(accessReports), put(accessReports, accessReportsDuePartition)],
    other: ["statementQueue"],
  },
  "accessReports:list": [queryByRank(accessReports)],
  "accessReports:read": [get(accessReports)],
  // Signs as the role that reads the files of exports and access reports, see storedReport.ts.
  "accessReports:sign": { other: ["documents"] },
  // Its messages are in the queue of statements.
  "accessReports:run": {
    table: [
      get(accessReports),
      update(accessReports),
      put(removalPartition),
      // The names of persons, credentials and CRBs of the service provider.
      batchGet(personNames, credential, crb),
    ],
    objects: [putObject(exported)],
    other: ["accessLog"],
  },
  "accessReports:sweep": {
    table: [query(accessReportsDuePartition), get(accessReports), remove(accessReportsDuePartition)],
    other: ["statementQueue"],
  },
  "statements:create": {
    table: [
      get(idempotency, statements, association),
      check(association, credential),
      update(statements),
      put(statements, statementsDuePartition, idempotency),
    ],
    other: ["statementQueue"],
  },
  "statements:list": [queryByRank(statements)],
  "statements:read": [get(statements)],
  // Signs as the role that reads the files of statements, see statementLinks.ts.
  "statements:sign": { other: ["documents"] },
  "statements:run": {
    table: [
      ...statementEnd,
      get(restoring, crb, reconciliation, stateConnectionsPartition),
      batchGet(crb, replication, dueTimes, sales.pk),
      query(reconciliation, insights, crbHistory, linkedLicenses, salesTotals, stateDays, entries),
      query(...replicated.map((list) => list.orders.rank.dayIndexPartition)),
      queryByRank(deposits),
    ],
    objects: [
      putObject(statementFiles),
      // The content of an earlier statement, to compare with.
      getObject(statementFiles),
    ],
    other: ["accessLog"],
  },
  "statements:sweep": { table: [...statementEnd, query(statementsDuePartition)], other: ["statementQueue"] },
  // If the writer of an event could not assign the event's position in the log, the next reader assigns it.
  "events:read": [get(events), ...tell],
  "webhooks:list": [query(webhooks), ...webhookProgress],
  "webhooks:read": [get(webhooks), ...webhookProgress],
  "webhooks:create": {
    table: [
      get(webhooks, idempotency),
      check(serviceProvider, credential),
      put(webhooks, enabledWebhooks, webhookPositions, idempotency),
      ...tell,
      ...webhookProgress,
    ],
    other: ["webhookSealing"],
  },
  "webhooks:change": {
    table: [
      get(webhooks),
      check(credential),
      put(webhooks, enabledWebhooks),
      remove(enabledWebhooks),
      ...webhookProgress,
    ],
    other: ["webhookQueue"],
  },
  "webhooks:remove": {
    table: [
      get(webhooks),
      put(webhooks),
      remove(webhooks, enabledWebhooks, webhookPositions, events),
      ...webhookProgress,
    ],
    objects: [note("deletion")],
  },
  "webhookSecrets:change": {
    table: [get(webhooks), check(credential), put(webhooks), ...webhookProgress],
    objects: [note("rotation")],
    other: ["webhookSealing"],
  },
  "webhooks:test": { table: [get(webhooks), put(deliveries), update(deliveryCounts)], other: ["webhookUnsealing"] },
  "webhooks:replay": [get(events), update(webhookPositions), remove(webhookPositions), ...tell],
  "webhooks:deliveries": [get(webhooks), query(deliveries, deliveryCounts)],
  "webhooks:deliver": {
    table: [
      get(webhooks, events),
      query(webhooks),
      batchGet(webhookPositions),
      update(webhookPositions, deliveryCounts),
      put(deliveries, webhooks),
      remove(webhookPositions, enabledWebhooks),
      ...tell,
    ],
    other: ["webhookUnsealing"],
  },
  "webhooks:sweep": [
    query(enabledWebhooks, webhooks, webhookPositions),
    get(webhookPositions, events, webhookSweepKey.pk),
    put(webhookSweepKey.pk),
    remove(webhookSweepKey.pk),
    ...tell,
  ],
  "documents:list": densePages(documents),
  "documents:read": [get(documents.pk)],
  // Signs as the role that reads documents, see downloadLink.ts.
  "documents:sign": { other: ["documents"] },
  "documents:add": {
    table: [...documentChange, get(invitations), remove(removalPartition)],
    objects: [putObject(stored)],
  },
  "documents:remove": { table: [...documentChange, remove(removalPartition)], objects: [deleteObject(stored)] },
  "changes:export": { other: ["changeExports"] },
  "documents:sweep": {
    table: [query(removalPartition), remove(removalPartition)],
    objects: [deleteObject(stored), deleteObject(uploaded), deleteObject(exported)],
  },
  // Signs links as the role that writes uploads, see uploadLink.ts.
  "uploads:plan": {
    table: [
      ...onboarding,
      get(association, invitations, credential),
      query(upload),
      check(association),
      put(upload, removalPartition),
    ],
    other: ["documents"],
  },
  "uploads:complete": {
    table: [get(upload), remove(upload)],
    objects: [getObject(uploaded)],
    other: ["arrivedUploads"],
  },
  "documentsToReview:list": [query(documentsToReview, restored), batchGet(association, crb, documents.pk)],
  "onboarding:read": onboarding,
  "onboarding:change": onboardingChange,
  "onboarding:view": [
    ...onboarding,
    get(association, serviceProvider, invitations, licensesKey.pk),
    query(linkedLicenses),
  ],
  "onboarding:submit": standingChange,
  "onboardingDocuments:remove": [get(invitations)],
  "consent:give": [...standingChange, put(invitations, unsent, crbHistory)],
  "consent:withdraw": {
    table: [
      ...standingChange,
      ...replicationEnd,
      remove(posCredentials, stateConnectionsPartition, dueTimes),
      put(invitations, unsent, crbHistory),
    ],
    objects: [note("withdrawal")],
  },
  "pos:connect": [
    ...crbChange,
    ...replicationEnd,
    remove(replication),
    batchGet(organization, crb, invitations),
    check(crb),
    update(organization),
    put(posCredentials, dueTimes),
  ],
  "serviceKey:read": { other: ["serviceKey"] },
  "addressKey:read": { other: ["addressKey"] },
  "posChecks:count": [update(posChecksKey(id, "").pk)],
  "posChecksOfInvited:count": [update(posChecksOfInvitedKey(id, "").pk)],
  "posCredentials:seal": { other: ["sealing", "partnerKeys"] },
  "sandbox:control": crbChange,
  "replication:request": { other: ["replicationQueue"] },
  "notices:request": { table: [put(invitations, unsent)], other: ["invitationQueue"] },
  "invitations:request": { other: ["invitationQueue"] },
  "invitations:sweep": { table: [query(unsent), update(unsent)], other: ["invitationQueue"] },
  "invitations:send": {
    table: [
      get(crb, serviceProvider, association, invitations, invitationToken, invitedAddress, unsent),
      query(invitedAddress),
      check(association),
      put(invitationToken, invitedAddress),
      update(invitations, linkRequests, unsent),
      remove(unsent),
      ...tell,
    ],
    other: ["mail", "invitationQueue"],
  },
  "invitations:end": [get(crb), update(invitations), ...tell],
  "replication:plan": {
    table: [
      queryByRank(dueTimes),
      query(dueTimes),
      batchGet(crb, replication, posType),
      update(dueTimes, freshnessPartition),
      remove(dueTimes),
    ],
    other: ["replicationQueue", "retryQueue"],
  },
  "freshness:read": [batchGet(freshnessPartition)],
  "replication:run": {
    table: [
      get(posCredentials, replication, posType, restoring),
      batchGet(replication),
      update(replication, dueTimes, posType, erased),
      check(replication, crb),
      put(insightsDuePartition, replication, outbox, stockedLocations, dailySnapshots, entries),
      query(erased, outbox, stockedLocations, dailySnapshots, entries),
      remove(replication, outbox, entries),
      ...records,
      ...fingerprints,
      ...salesDays,
      ...pages(locations),
      ...pages(locationInventory),
      ...crbChange,
    ],
    objects: [putObject(snapshotFiles)],
    other: ["replicationQueue", "unsealing", "partnerKeys"],
  },
  // Rebuilds all lists of a CRB, and erases customers.
  "restorations:run": {
    table: [
      get(
        restoring,
        restorationKey.pk,
        restored,
        crb,
        replication,
        ...shortened(customers.pk, documents.pk, erased, insights),
      ),
      update(restorationKey.pk, restored, replication, ...shortened(erased, reconciliation)),
      remove(restoring, restored, replication, outbox, entries),
      batchRemove(entries, `${fingerprintsPrefix}*`, ...shortened(documentsToReview, providerInsights)),
      check(replication, crb, restoring),
      put(replication, outbox, stockedLocations, entries, reconciledCrbPartition),
      put(...shortened(documentsToReview, insights, providerInsights, reconciliation)),
      query(
        outbox,
        stockedLocations,
        entries,
        `${fingerprintsPrefix}*`,
        replication,
        ...shortened(documents.pk, deposits, reconciliation, erased, documentsToReview, insights),
      ),
      batchGet(replication, entries, ...shortened(insights, providerInsights)),
      ...records,
      ...fingerprints,
      ...salesDays,
      ...densePlaces(documents.orders.rank),
      ...[...replicated, locationInventory].flatMap((list) => [query(list.pk), ...pages(list)]),
      ...tell,
    ],
    other: ["restorationQueue"],
  },
} satisfies Record<OperationCapability, Permissions | TableAccess[]> & Record<string, Permissions | TableAccess[]>;

export type PermissionSet = keyof typeof namedSets;

export const permissionSets = Object.fromEntries(
  Object.entries<Permissions | TableAccess[]>(namedSets).map(([name, given]) => [
    name,
    complete(Array.isArray(given) ? { table: given } : given),
  ]),
) as Readonly<Record<PermissionSet, Permissions>>;
