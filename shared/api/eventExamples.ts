import { exampleIds } from "./operations/examples.ts";
import type { EventData } from "./schemas/eventData.ts";

const document = { document_id: exampleIds.document, requirement_id: exampleIds.requirement };
const invitation = { invitation_id: "1f6c0b94-7d32-4e85-a9c1-60d4e8b27f53" };
const license = { license_id: exampleIds.license };
const credential = { client_id: exampleIds.credential };
const exported = { export_id: exampleIds.export };
const made = { statement_id: exampleIds.statement };
const insight = { insight_id: exampleIds.insight, code: "revenue_above_baseline" } as const;
const endpoint = { endpoint_id: exampleIds.endpoint };

/** Example `data` of each type of event, for the API description and for test events. */
export const eventExamples: EventData = {
  "crb.created": {},
  "crb.updated": {},
  "crb.status.changed": { from: "svc_awaiting_review", to: "svc_approved" },
  "crb.association.ended": {},
  "pos.status.changed": { pos_type: "Flowhub", from: "Connected", to: "Needs Attention" },
  "records.changed": { kind: "sales", cursor_before: "AVK0Yw5bJ0nNn2m7aV3u8QAcwAj8kEoAB9kZ" },
  "replication.initial_sync.completed": { kind: "customers" },
  "records.erased": { kind: "customers", record_id: exampleIds.customer },
  "sales_day.completed": {
    date: "2026-03-13",
    records: 214,
    total_paid: 1_284_350,
    digest: "5d1c7a0e94b36f28a1d05c3be7f4829610cd4b7e3f95a28d6b01e7c49a3f5d82",
  },
  "sales_day.revised": { date: "2026-03-13", revision: 1 },
  "sales_day.flagged": { date: "2026-03-13", red_flag: 1, warning: 2 },
  "reconciliation_day.exceeded": { date: "2026-03-13", status: "deposits_unexplained" },
  "reconciliation_day.revised": { date: "2026-03-13", revision: 2 },
  "state_day.varied": { date: "2026-03-13" },
  "insight.raised": insight,
  "insight.withdrawn": insight,
  "insight.decided": { ...insight, status: "explained" },
  "statement.ready": { ...made, sha256: "9c417be203d55af8e6b012c97d3488af41ee90b72c5df0136a98be47d2c10f6e" },
  "statement.failed": { ...made, error: "unexpected" },
  "export.ready": exported,
  "export.failed": { ...exported, error: "list_rebuilt" },
  "export.deleted": { ...exported, reason: "requested" },
  "document.added": document,
  "document.status.changed": { ...document, from: "pending", to: "approved" },
  "document.deleted": document,
  "invitation.sent": invitation,
  "invitation.failed": invitation,
  "onboarding.consent.given": { ...invitation, terms_version: "2026-10-01" },
  "onboarding.consent.withdrawn": invitation,
  "onboarding.submitted": invitation,
  "license.linked": {
    ...license,
    linked_by: invitation.invitation_id,
    linked_by_kind: "invited_user",
    holder_matches: "similar",
  },
  "license.unlinked": { ...license, unlinked_by: invitation.invitation_id, unlinked_by_kind: "invited_user" },
  "license.status.changed": { ...license, from: "expiring", to: "expired" },
  "license.expiring": { ...license, days: 30 },
  "credential.created": credential,
  "credential.changed": credential,
  "credential.expiring": { ...credential, days: 30 },
  "credential.revoked": credential,
  "identity_provider.changed": { credential_id: exampleIds.identityProvider },
  "endpoint.test": endpoint,
  "endpoint.disabled": { ...endpoint, reason: "failures" },
};
