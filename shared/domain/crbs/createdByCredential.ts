import { findAddedKeys } from "../../auth/credentialKeys.ts";
import type { ListedCredential } from "../../auth/credentials.ts";
import { type Item, itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { fieldsSetBy } from "../../store/fieldChanges.ts";
import { mapInGroups } from "../../store/groups.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { invitationKey, invitationsKey } from "../../store/keys/invitations.ts";
import { crbList } from "../../store/keys/orderedLists.ts";
import { isMadeWith } from "../../store/madeWith.ts";
import { findUploadingCrbs } from "../documents/removals.ts";
import { readDocuments } from "../documents/storedDocument.ts";
import { readUploads, type Upload } from "../documents/uploads.ts";
import { findReceivedExports } from "../exports/linkRecipients.ts";
import { readLiveExports } from "../exports/storedExport.ts";
import type { InvitationSending } from "../invitations/changeSending.ts";
import type { Invitation } from "../invitations/invitations.ts";
import { type Endpoint, readEndpoints } from "../webhooks/endpoint.ts";
import { isAffectedByRevocation } from "../webhooks/revokeEndpointAccess.ts";

// Finds the resources that credentials created or changed. There is no index for this, because revocations are rare and an index
// would cost one more write for each resource. To end resources, a request has 28 s for all CRBs of its service provider. So the
// searches read a hundred CRBs by one call, and make calls for one CRB only if it has resources.

/**
 * Resources that credentials created or changed, and that would still give access after these credentials are revoked. A
 * revocation therefore also ends the resources.
 */
export interface CreatedByCredential {
  /** The other credentials to which they added keys. */
  keys: ListedCredential[];
  endpoints: Endpoint[];
  invitations: { crbId: string; id: string; createdDate: string | null }[];
  uploads: (Upload & { crbId: string })[];
  /** Live exports that they created, or whose links they received. */
  exports: { crbId: string; id: string; createdDate: string; isCreated: boolean }[];
}

/** Number of CRBs read concurrently. */
const atOnce = 25;

/** Finds the active resources that the credentials created or changed. */
export async function findCreated(
  table: Table,
  spId: string,
  clientIds: ReadonlySet<string>,
): Promise<CreatedByCredential> {
  return {
    keys: await findAddedKeys(table, spId, clientIds),
    endpoints: await findCreatedEndpoints(table, spId, clientIds),
    invitations: await findCreatedInvitations(table, spId, clientIds),
    uploads: await findCreatedUploads(table, spId, clientIds),
    exports: await findCreatedExports(table, spId, clientIds),
  };
}

/** The webhook endpoints that the credentials created or changed, or whose secrets the credentials received. */
export const findCreatedEndpoints = async (table: Table, spId: string, clientIds: ReadonlySet<string>) =>
  (await readEndpoints(table, spId)).filter((endpoint) => isAffectedByRevocation(endpoint, clientIds));

/** The invitations that the credentials created, except withdrawn ones. */
export async function findCreatedInvitations(
  table: Table,
  spId: string,
  clientIds: ReadonlySet<string>,
): Promise<CreatedByCredential["invitations"]> {
  const invitations = await invitationsBy(table, await associatedCrbs(table, spId), clientIds);
  return invitations.filter(({ isWithdrawn }) => !isWithdrawn);
}

/** The open uploads that were begun with the credentials, or by users whom the credentials invited. */
export async function findCreatedUploads(
  table: Table,
  spId: string,
  clientIds: ReadonlySet<string>,
): Promise<CreatedByCredential["uploads"]> {
  const crbIds = await associatedCrbs(table, spId);
  const invitations = await invitationsBy(table, crbIds, clientIds);
  const uploaders = new Set([...clientIds, ...invitations.map(({ id }) => id)]);
  const uploading = await findUploadingCrbs(table);
  return forEachCrb(
    crbIds.filter((crbId) => uploading.has(crbId)),
    async (crbId) =>
      (await readUploads(table, crbId))
        .filter((upload) => isMadeWith(uploaders, upload.uploaded_by, upload))
        .map((upload) => ({ ...upload, crbId })),
  );
}

/** The live exports that the credentials created, or whose links they received. */
export const findCreatedExports = async (
  table: Table,
  spId: string,
  clientIds: ReadonlySet<string>,
): Promise<CreatedByCredential["exports"]> => {
  const received = await findReceivedExports(table, clientIds);
  return (await readLiveExports(table, await associatedCrbs(table, spId)))
    .map((stored) => {
      const { crb_id: crbId, id, created_at: createdDate, created_by: by } = stored;
      return { crbId, id, createdDate, isCreated: isMadeWith(clientIds, by, stored) };
    })
    .filter(({ id, isCreated }) => isCreated || received.has(id));
};

/** A change of a CRB or document that credentials made. A revocation of the credentials does not undo the change. */
export interface KeptWork {
  kind: "crb" | "document";
  id: string;
  crbId: string;
  action: string;
  /** ISO 8601 UTC; null if unknown. */
  date: string | null;
}

/**
 * The changes of CRBs and documents that the credentials made, and the consents and documents of the users whom the credentials
 * invited. Reads all CRBs and their documents.
 */
export async function findRetainedChanges(
  table: Table,
  spId: string,
  clientIds: ReadonlySet<string>,
): Promise<KeptWork[]> {
  const crbIds = await associatedCrbs(table, spId);
  const invited = new Set((await invitationsBy(table, crbIds, clientIds)).map(({ id }) => id));
  const items = await table.batchGet(crbIds.map(crbKey), { consistent: true });
  const crbs = [...items.values()].map(toCrb).flatMap((crb): KeptWork[] => {
    const { record, createdBy, changes = {}, consent, withdrawal } = crb;
    const { id } = record;
    const fields = fieldsSetBy(changes, clientIds);
    const dates = fields.map(([, { date }]) => date).sort();
    const work = { kind: "crb", id, crbId: id } as const;
    const changed = `changed ${fields.map(([field]) => field).join(", ")}`;
    return [
      ...(isMadeWith(clientIds, createdBy, crb) ? [{ ...work, action: "created", date: null }] : []),
      ...(fields.length > 0 ? [{ ...work, action: changed, date: dates.at(-1) ?? null }] : []),
      ...(consent && invited.has(consent.givenBy) ? [{ ...work, action: "user consented", date: consent.date }] : []),
      ...(withdrawal?.by && invited.has(withdrawal.by)
        ? [{ ...work, action: "user withdrew consent", date: withdrawal.date }]
        : []),
    ];
  });
  const documents = await forEachCrb(crbIds, async (crbId) =>
    (await readDocuments(table, crbId)).flatMap(({ record, review, deletedBy }): KeptWork[] => {
      const work = { kind: "document", id: record.id, crbId } as const;
      const { reviewed_by, review_date = null } = review;
      const isBy = (by: string | null | undefined) => by != null && clientIds.has(by);
      return [
        ...(invited.has(record.uploaded_by)
          ? [{ ...work, action: "added by an invited user", date: record.upload_date }]
          : []),
        ...(isBy(record.uploaded_by) ? [{ ...work, action: "added", date: record.upload_date }] : []),
        ...(isBy(reviewed_by) ? [{ ...work, action: `reviewed: ${review.status}`, date: review_date }] : []),
        ...(isBy(deletedBy) ? [{ ...work, action: "deleted", date: null }] : []),
      ];
    }),
  );
  return [...crbs, ...documents];
}

/** The ids of the associated CRBs. After the end of an association, a CRB has no active links or uploads. */
const associatedCrbs = async (table: Table, spId: string): Promise<string[]> =>
  (await table.queryPartition(crbList(spId).pk, { consistent: true })).map(({ sk }) => sk);

async function forEachCrb<T>(crbIds: readonly string[], read: (crbId: string) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const group of mapInGroups(crbIds, atOnce, read)) found.push(...group.flat());
  return found;
}

interface InvitationsItem extends Item {
  invitations: Invitation[];
  created_by?: string | null;
  ends_with?: readonly string[];
  created_date?: string;
}

/** The invitations that the credentials created, including withdrawn invitations. */
async function invitationsBy(table: Table, crbIds: readonly string[], clientIds: ReadonlySet<string>) {
  const items = await table.batchGet(crbIds.map(invitationsKey), { consistent: true });
  const made = crbIds.flatMap((crbId) => {
    const item = items.get(itemId(invitationsKey(crbId))) as InvitationsItem | undefined;
    if (!item || !isMadeWith(clientIds, item.created_by, item)) return [];
    return item.invitations.map(({ id }) => ({ crbId, id, createdDate: item.created_date ?? null }));
  });
  const keyOf = ({ crbId, id }: { crbId: string; id: string }) => invitationKey(crbId, id);
  const sendings = await table.batchGet(made.map(keyOf), { consistent: true });
  return made.map((invitation) => {
    const sending = sendings.get(itemId(keyOf(invitation))) as (Item & Partial<InvitationSending>) | undefined;
    return { ...invitation, isWithdrawn: sending?.withdrawn_at !== undefined };
  });
}
