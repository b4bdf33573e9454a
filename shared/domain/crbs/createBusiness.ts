import { randomUUID } from "node:crypto";
import { invalid } from "../../api/errors.ts";
import { posTypes } from "../../api/pos/posTypes.ts";
import { coreOf } from "../../api/schemas/crb.ts";
import type { CrbCreation } from "../../api/schemas/crbCreation.ts";
import { toPerson } from "../../api/schemas/person.ts";
import { withActiveCredential } from "../../auth/withActiveCredential.ts";
import { type PosCredentials, seal } from "../../platform/crypto/sealing.ts";
import { findConnector } from "../../pos/findConnector.ts";
import { toConnection } from "../../pos/openConnection.ts";
import type { PosCheckLimit } from "../../pos/posCheckLimit.ts";
import { verifyConnection } from "../../pos/verifyConnection.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { crbChange, crbRetryOptions, forServiceProvider, readCrb } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { crbIdOf, type IdempotentRequest, readFirstResponse, rememberWrite } from "../../store/idempotency.ts";
import { posCredentialsKey, purgedCrbKey } from "../../store/keys/crbs.ts";
import { endsWithOf, type Maker } from "../../store/madeWith.ts";
import { findOrganization, idsOf } from "../../store/organizations.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { invitationsOf, invitationWrites } from "../invitations/invitations.ts";
import { mailCountWrites } from "../invitations/mailCountWrites.ts";
import type { linkNumbers as LinkNumbers } from "../linkedLicenses/linkNumbers.ts";
import { newAnswersItem } from "../onboarding/answers.ts";
import { publishedTemplate } from "../onboarding/templates.ts";
import { alreadyInvited, findInvited } from "./alreadyInvited.ts";
import { noConnector, noTemplate } from "./creationIssues.ts";
import { newCrb } from "./newCrb.ts";
import { requireNotConnected } from "./requireNotConnected.ts";

/** A service provider's request to create a CRB. */
export interface CreationRequest {
  spId: string;
  /** The request body, which has passed checks 1 to 6 of docs/spec.md#checks-of-a-new-crb. */
  body: CrbCreation;
  idempotencyKey: string | undefined;
  /** The stores of the licenses; required if the body has `license_numbers`. */
  bucket?: Bucket;
  /** The caller's limit on checks of POS credentials; no limit if undefined. */
  limit?: PosCheckLimit;
  /** The caller that requests the creation; null or undefined for the operator. */
  createdBy?: Maker | null;
}

/** The result of a creation. A repeated request gets the result of the first request. */
export interface Created {
  crbId: string;
  /**
   * The core fields of the CRB at its creation (docs/spec.md#crb-records) and, if the request has license numbers,
   * those that match no license. JSON text.
   */
  answer: string;
}

/**
 * Creates a CRB: makes the checks of docs/spec.md#checks-of-a-new-crb, then stores the CRB and its related items in one
 * transaction. If a request is repeated with the same `Idempotency-Key` within 24 hours, it gets the first response and
 * changes nothing.
 *
 * @throws ServiceError "invalid"; "unavailable" (the POS cannot be reached); "conflict" (the organization is connected
 *   or invited); "throttled" (the day's invitation mails are used up, or POS systems have rejected too many credentials
 *   of the caller); "unauthorized" (the credential or its key has ended meanwhile); "notFound" (the CRB of the first
 *   response is gone, or the service provider is being removed)
 */
export async function createBusiness(
  table: Table,
  { spId, body, idempotencyKey, createdBy = null, limit, bucket }: CreationRequest,
  clock: Clock = systemClock,
): Promise<Created> {
  const request = idempotencyKey === undefined ? undefined : { spId, key: idempotencyKey, body };
  const first = request && (await readFirstCreation(table, request, clock.now()));
  if (first) return first;

  const template = await publishedTemplate(table, spId, body.org.template_id);
  if (!template) throw invalid({ "body.org.template_id": { message: noTemplate } });
  const now = clock.now();
  const record = newCrb(await freshId(table, request), body, template.template_id, now);
  const crb: Crb = {
    record,
    serviceProviderId: spId,
    connection: body.pos_info
      ? {
          posType: body.pos_info.pos_type,
          locationId: body.pos_info.location_id ?? null,
          connectedAt: now.toISOString(),
        }
      : null,
    ...(!body.pos_info && { needsConsent: true as const }),
    ...(createdBy && { createdBy: createdBy.clientId, ...endsWithOf(createdBy) }),
    primaryContactEmail: body.org.primary_contact_email ?? process.env.SUPPORT_EMAIL ?? null,
  };
  const sealed = await connect(crb, body.pos_info, limit);
  const numbers = body.license_numbers;
  const invitations = invitationsOf(record.id, body.users ?? []);

  return retryOnConflict(
    clock,
    async () => {
      // Keep this order of the two reads. If the first read finds an organization that an earlier attempt of this request has
      // just created, the second read must find the response to that attempt.
      const same = await findOrganization(table, spId, record);
      const sameRequest = request && (await readFirstCreation(table, request, clock.now()));
      if (sameRequest) return sameRequest;
      const checks = body.pos_info ? await requireNotConnected(table, idsOf(same)) : [];
      const invited = !body.pos_info && (await findInvited(table, idsOf(same), record, invitations));
      if (invited) throw alreadyInvited(invited);
      const person = toPerson(createdBy?.person);
      const matched = numbers && bucket && (await linkSent({ table, bucket }, crb, numbers, clock.now(), person));
      const answer = { ...coreOf(record), ...(numbers && { unmatched_licenses: matched?.unmatched ?? numbers }) };
      const created = { crbId: record.id, answer: JSON.stringify(answer) };
      const { writes, events } = await crbChange(table, undefined, crb, clock.now(), { same });
      const more = [
        table.putWrite(newAnswersItem(record, template, now)),
        ...(sealed ? [table.putWrite({ ...posCredentialsKey(record.id), sealed })] : []),
        ...(request ? [rememberWrite(table, request, created, clock.now())] : []),
        ...invitationWrites(table, record.id, invitations, now, createdBy),
        ...(await mailCountWrites(table, spId, invitations.length, clock.now())),
        ...(matched?.writes ?? []),
      ];
      const allEvents = [...events, ...(matched?.events ?? [])];
      await withActiveCredential(table, createdBy, 1, (check) =>
        forServiceProvider(table, spId, (isThere) =>
          commitWithEvents(
            table,
            { writes: [isThere, ...check, ...checks, ...writes, ...more], events: allEvents },
            clock,
          ),
        ),
      );
      return created;
    },
    crbRetryOptions,
  );
}

/** Loads the comparison of licenses, which few requests need, from a separate chunk of the bundle. */
async function linkSent(...sent: Parameters<typeof LinkNumbers>): ReturnType<typeof LinkNumbers> {
  const { linkNumbers } = await import("../linkedLicenses/linkNumbers.ts");
  return linkNumbers(...sent);
}

/** The result of an earlier request with the same key, which created a CRB. */
async function readFirstCreation(table: Table, request: IdempotentRequest, now: Date): Promise<Created | undefined> {
  const { crbId, answer = "" } = (await readFirstResponse(table, request, now)) ?? {};
  return crbId === undefined ? undefined : { crbId, answer };
}

/** An unused CRB id. The id is derived from the idempotency key, or random if a CRB already has or had the derived id. */
async function freshId(table: Table, request: IdempotentRequest | undefined): Promise<string> {
  if (!request) return randomUUID();
  const id = crbIdOf(request);
  // Keep this order of the two reads: if a purge removes the CRB between the two reads, the second read finds the item that
  // the purge keeps for a used id.
  const taken = (await readCrb(table, id)) ?? (await table.get(purgedCrbKey(request.spId, id), { consistent: true }));
  return taken ? randomUUID() : id;
}

/**
 * Tests the connection of a CRB and seals its credentials (checks 7 and 8 of docs/spec.md#checks-of-a-new-crb). Does
 * nothing for a CRB without a connection.
 *
 * @param posInfo the POS type and credentials, which have passed check 6
 */
async function connect(
  crb: Crb,
  posInfo: CrbCreation["pos_info"],
  limit: PosCheckLimit | undefined,
): Promise<Uint8Array | undefined> {
  if (!posInfo) return undefined;
  const credentials = posInfo.pos_credentials as PosCredentials;
  const connection = toConnection(crb, credentials);
  const connector = findConnector(posInfo.pos_type);
  if (!connector || !connection) throw invalid({ "body.pos_info.pos_type": { message: noConnector } });
  await verifyConnection(connector, connection, posTypes[posInfo.pos_type].locationRequired, limit);
  return seal(crb.record.id, credentials);
}
