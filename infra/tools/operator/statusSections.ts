import type { Unsent } from "../../../shared/domain/invitations/invitations.ts";
import { readDocumentsToReview } from "../../../shared/domain/onboarding/readDocumentsToReview.ts";
import type { Item } from "../../../shared/store/client.ts";
import { listServiceProviders } from "../../../shared/store/crbs.ts";
import { endedAssociations } from "../../../shared/store/endedAssociations.ts";
import { unsentInvitationsKey } from "../../../shared/store/keys/invitations.ts";
import { dayOf, daysLater } from "./certificate.ts";
import { allCrbs } from "./commands/crbs.ts";
import { lapsedLicenses } from "./commands/licenses.ts";
import { endpointRows } from "./commands/webhooks.ts";
import { crbRows } from "./replicationRows.ts";
import type { State } from "./stateStyles.ts";
import type { Target } from "./target.ts";

/** A record that needs attention. */
interface StatusRow {
  /** the CRB or, for webhooks, the service provider */
  id: string;
  name: string | null;
  states: readonly State[];
  detail: string | null;
}

/** A subject of the status: how many records of it need attention, and the worst of them. */
export interface StatusSection {
  subject: string;
  count: number;
  /** the number of all records of the subject; null if it is not counted */
  total: number | null;
  /** the command, or the operation of the API, that shows more */
  more: string;
  worst: StatusRow[];
}

/** At most this many records of a subject are shown. */
const maxShown = 3;

/** Reads the late, failing, lapsing and waiting records of a stage. The cost grows with the number of CRBs. */
export async function statusSections(target: Target, now: Date): Promise<StatusSection[]> {
  const { table } = target;
  const providers = await listServiceProviders(table);
  const [crbs, replications, licenses, endpoints, documents, unsent, due] = await Promise.all([
    allCrbs(table, providers),
    crbRows(target, now),
    lapsedLicenses(table, undefined),
    Promise.all(
      providers.map(async ({ id, name }) =>
        (await endpointRows(table, id)).map((endpoint) => ({ ...endpoint, spId: id, name })),
      ),
    ),
    Promise.all(providers.map(({ id }) => oldestDocuments(target, id))),
    table.queryPartition(unsentInvitationsKey("").pk) as Promise<(Item & Unsent)[]>,
    endedAssociations(table, daysLater(now, -target.retentionDays)),
  ]);
  const nameOf = (crbId: string) => crbs.find(({ crb_id }) => crb_id === crbId)?.name ?? null;
  return [
    section(
      "CRBs with failing or late replications",
      replications.length,
      "replication list",
      [
        // The longest-waiting CRB comes first in each group.
        ...replications.filter(isFailing),
        ...replications.filter((row) => !isFailing(row) && row.states.includes("late")),
      ].map(({ crb_id: id, name, states, failing }) => ({
        ...{ id, name, states },
        detail: failing.map(({ kind, error }) => `${kind} (${error})`).join(", ") || null,
      })),
    ),
    section(
      "Failing webhook endpoints",
      endpoints.flat().length,
      "webhooks list SP_ID",
      endpoints
        .flat()
        .filter(({ status }) => status === "failing" || status === "disabled")
        .sort((one, other) => other.undelivered - one.undelivered)
        .map(({ spId: id, name, status, undelivered, last_error }) => ({
          ...{ id, name, states: [status] },
          detail: `${undelivered} undelivered${last_error ? `, ${last_error}` : ""}`,
        })),
    ),
    section(
      "Licenses that lapse or are not active",
      null,
      "licenses lapsed",
      licenses
        .sort((one, other) => licenseOrder.indexOf(one.status) - licenseOrder.indexOf(other.status))
        .map(({ crb_id: id, name, status, license_identifier, expires_date }) => ({
          ...{ id, name, states: [status] },
          detail: [license_identifier, expires_date && `expires ${expires_date}`].filter(Boolean).join(", ") || null,
        })),
    ),
    section(
      "CRBs to review by the operator",
      crbs.length,
      "crb list",
      crbs
        .filter(({ status, ended_date }) => status === "svc_awaiting_review" && !ended_date)
        .map(({ crb_id: id, name, status }) => ({ id, name, states: [status], detail: null })),
    ),
    {
      ...section(
        "Documents to review by service providers",
        null,
        "listDocumentsToReview in the API",
        documents.flatMap(({ rows }) => rows).sort((one, other) => (one.since < other.since ? -1 : 1)),
      ),
      count: documents.reduce((sum, { total }) => sum + total, 0),
    },
    section(
      "CRBs with unsent invitations or notices",
      crbs.length,
      "invitation resend CRB_ID",
      unsent
        // Postponed notices have a time in the future.
        .filter(({ since }) => Date.parse(since) <= now.getTime())
        .sort((one, other) => (one.since < other.since ? -1 : 1))
        .map(({ sk: id, since }) => ({ id, name: nameOf(id), states: [], detail: `since ${instantOf(since)}` })),
    ),
    section(
      "CRBs due for a purge",
      null,
      "crb due",
      due.map(({ crbId: id, crb, endedAt }) => ({
        ...{ id, name: crb?.record.name ?? null, states: [] },
        detail: `since ${dayOf(daysLater(new Date(endedAt), target.retentionDays))}`,
      })),
    ),
  ];
}

const isFailing = ({ states }: { states: readonly State[] }) => states.includes("failing");

/** The worst license first. */
const licenseOrder: readonly State[] = ["missing", "inactive", "expired", "unknown", "expiring"];

/** Sorted rows become a section with the first of them. */
const section = (subject: string, total: number | null, more: string, rows: readonly StatusRow[]): StatusSection => ({
  ...{ subject, count: rows.length, total, more },
  worst: rows.slice(0, maxShown).map(({ id, name, states, detail }) => ({ id, name, states, detail })),
});

/** The documents of a service provider that wait longest, and the number of all. */
async function oldestDocuments({ table }: Target, spId: string) {
  const { total } = await readDocumentsToReview(table, spId, { offset: 0, limit: 0 });
  const page = { offset: Math.max(0, total - maxShown), limit: maxShown };
  const { documents } = total > 0 ? await readDocumentsToReview(table, spId, page) : { documents: [] };
  const rows = documents.map(({ crb_id: id, crb_name: name, document }) => ({
    ...{ id, name, states: [], since: document.upload_date },
    detail: `since ${instantOf(document.upload_date)}`,
  }));
  return { total, rows };
}

const instantOf = (time: string) => `${time.slice(0, 19)}Z`;
