import * as z from "zod";
import {
  type EventType,
  exportErrors,
  linkedLicenseStatuses,
  posConnectionStatuses,
  requirementDocumentStatuses,
  statementErrors,
} from "../enumerations.ts";
import { kindName } from "./changes.ts";
import { crbStatus } from "./codes.ts";
import { decidedStatus, insightCode } from "./insight.ts";
import { holderMatch, licenseActorKind, linkedBy } from "./linkedLicense.ts";
import { cents, count, date, uuid } from "./scalars.ts";

const nothing = z.strictObject({});
const kind = kindName.describe("The kind of records");
const invitation = z.strictObject({ invitation_id: uuid.describe("The invitation") });
const exported = z.strictObject({ export_id: uuid.describe("The export") });
const made = z.strictObject({ statement_id: uuid.describe("The statement") });
const document = z.strictObject({
  document_id: uuid.describe("The document"),
  requirement_id: uuid.describe("Its requirement"),
});
const credential = z.strictObject({ client_id: uuid.describe("The client id of the credential") });
const endpoint = z.strictObject({ endpoint_id: uuid.describe("The webhook endpoint") });
const license = z.strictObject({ license_id: z.string().describe("The license") });
const insight = z.strictObject({ insight_id: uuid.describe("The insight"), code: insightCode });
const licenseStatus = z.enum(linkedLicenseStatuses);
const posStatus = z.enum(posConnectionStatuses);
const documentStatus = z.enum(requirementDocumentStatuses);

/** The `data` of the events of each type (docs/spec.md#events). */
export const eventData = {
  "crb.created": nothing,
  "crb.updated": nothing,
  "crb.status.changed": z.strictObject({
    from: crbStatus.describe("The earlier status"),
    to: crbStatus.describe("The new status"),
  }),
  "crb.association.ended": nothing,
  "pos.status.changed": z.strictObject({
    pos_type: z.string().describe("The POS type"),
    from: posStatus.nullable().describe("The earlier status; null for a new connection"),
    to: posStatus.describe("The new status"),
  }),
  "records.changed": z.strictObject({
    kind,
    cursor_before: z.string().describe("A cursor of the changes, after which the reported changes follow"),
  }),
  "replication.initial_sync.completed": z.strictObject({ kind }),
  "records.erased": z.strictObject({ kind, record_id: uuid.describe("The erased record") }),
  "sales_day.completed": z.strictObject({
    date: date.describe("The business day"),
    records: count.describe("Number of its sales, returns and adjustments"),
    total_paid: cents.describe("Paid in total, in cents"),
    digest: z.string().describe("Digest of its records"),
  }),
  "sales_day.revised": z.strictObject({
    date: date.describe("The business day"),
    revision: count.describe("Number of changes since the day was complete"),
  }),
  "sales_day.flagged": z.strictObject({
    date: date.describe("The business day"),
    red_flag: count.describe("Number of its sales with the status `red_flag`"),
    warning: count.describe("Number of its sales with the status `warning`"),
  }),
  "reconciliation_day.exceeded": z.strictObject({
    date: date.describe("The business day"),
    status: z.enum(["deposits_unexplained", "cash_outstanding"]).describe("Its new status"),
  }),
  "reconciliation_day.revised": z.strictObject({
    date: date.describe("The business day"),
    revision: count.describe("Number of changes of its own sums"),
  }),
  "state_day.varied": z.strictObject({ date: date.describe("The business day") }),
  "insight.raised": insight,
  "insight.withdrawn": insight,
  "insight.decided": insight.extend({ status: decidedStatus.describe("The decision") }),
  "statement.ready": made.extend({ sha256: z.string().describe("SHA-256 of its `statement.json`") }),
  "statement.failed": made.extend({ error: z.enum(statementErrors).describe("Why the statement failed") }),
  "export.ready": exported,
  "export.failed": exported.extend({ error: z.enum(exportErrors).describe("Why the export failed") }),
  "export.deleted": exported.extend({
    reason: z
      .enum(["requested", "erasure", "credential_revoked", "credential_expired"])
      .describe("Why the export was deleted"),
  }),
  "document.added": document,
  "document.status.changed": document.extend({
    from: documentStatus.describe("The earlier status"),
    to: documentStatus.describe("The new status"),
  }),
  "document.deleted": document,
  "invitation.sent": invitation,
  "invitation.failed": invitation,
  "onboarding.consent.given": invitation.extend({ terms_version: z.string().describe("Version of the terms") }),
  "onboarding.consent.withdrawn": z.strictObject({
    invitation_id: uuid.optional().describe("The invitation of the user who withdrew; absent if it is unknown"),
  }),
  "onboarding.submitted": invitation,
  "license.linked": license.extend({
    linked_by: linkedBy,
    linked_by_kind: licenseActorKind,
    holder_matches: holderMatch,
  }),
  "license.unlinked": license.extend({
    unlinked_by: uuid
      .nullable()
      .describe("`client_id` of the credential, or id of the invitation, that unlinked it; null if the operator did"),
    unlinked_by_kind: licenseActorKind.describe("Who unlinked it"),
  }),
  "license.status.changed": license.extend({
    from: licenseStatus.describe("The earlier status"),
    to: licenseStatus.describe("The new status"),
  }),
  "license.expiring": license.extend({ days: count.describe("Days until the license expires") }),
  "credential.created": credential,
  "credential.changed": credential,
  "credential.expiring": credential.extend({ days: count.describe("Days until the credential expires") }),
  "credential.revoked": credential,
  "identity_provider.changed": z.strictObject({
    credential_id: uuid.nullable().describe("The client id of its persons; null if it was removed"),
  }),
  "endpoint.test": endpoint,
  "endpoint.disabled": endpoint.extend({
    reason: z
      .enum(["failures", "gone", "credential_revoked", "credential_expired"])
      .describe("Why the endpoint was disabled"),
  }),
} satisfies Record<EventType, z.ZodObject>;

/** The `data` of an event by the event's type. */
export type EventData = { [Type in EventType]: z.input<(typeof eventData)[Type]> };
