import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { LicenseActorKind, LinkedLicenseStatus } from "../../api/enumerations.ts";
import type { License } from "../../api/schemas/license.ts";
import type { LinkedLicense } from "../../api/schemas/linkedLicense.ts";
import { type PersonName, toPerson } from "../../api/schemas/person.ts";
import { type Item, type Table, unchanged } from "../../store/client.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";
import { linkedLicenseKey, parseLinkedLicenseKey } from "../../store/keys/licenses.ts";
import { compareHolder, type Holder, type NamedBusiness } from "../../text/compareHolder.ts";
import type { Present } from "../licenses/presentGeneration.ts";
import type { RegisteredLicense } from "./findLicenses.ts";
import { licenseHistoryWrite } from "./licenseHistory.ts";
import {
  dueNotice,
  type ExpiryNotice,
  endOn,
  licenseDay,
  type RegisterFacts,
  registerFacts,
  statusOn,
} from "./linkStatus.ts";

/** The CRB and the license of a link. */
export interface LinkNames {
  spId: string;
  crbId: string;
  licenseId: string;
}

/** Who links or unlinks a license. */
export interface LicenseActor {
  kind: LicenseActorKind;
  /** Client id of the credential, or id of the invitation; null for the operator. */
  id: string | null;
  /** null or undefined for a program, an invited user and the operator. */
  person?: PersonName | null;
}

export const operator: LicenseActor = { kind: "operator", id: null };

/** A link as stored. */
export interface Link extends RegisterFacts {
  names: LinkNames;
  /** ISO 8601 UTC */
  linkedDate: string;
  linkedBy: LicenseActor;
  /** The license's record (`License` of the API) as JSON text, as in the register of the last comparison. */
  body: string;
  /** The names on the license. */
  holder: Holder;
  status: LinkedLicenseStatus;
  /** The register's name (`registerName`), and the day of its import with which the link was last written. */
  register: string;
  registerDay: string;
  /** The day of the last import that had a readable row of the license; null if it is the last one of the register. */
  readOn: string | null;
  /** The digest of the license's row in the register. */
  hash: string;
  /** The last notice of an expiry that was sent. */
  notice: ExpiryNotice | undefined;
  /** The day for which the status was computed (`licenseDay`). */
  day: string;
  version: number;
}

/** Converts a stored item to a link. */
export function toLink(spId: string, { pk: _pk, sk, ...stored }: Item): Link {
  const { crbId, licenseId } = parseLinkedLicenseKey(sk);
  return { notice: undefined, ...(stored as Omit<Link, "names" | "notice">), names: { spId, crbId, licenseId } };
}

function factsOf({ license, missingSince, ...registered }: RegisteredLicense) {
  const facts = registerFacts(license, missingSince);
  return { ...facts, body: JSON.stringify(license), holder: holderOf(license), ...registered };
}

export const holderOf = ({ licensee, businesses, locality }: License): Holder => ({
  licensee,
  tradeNames: businesses.map(({ name }) => name),
  locality,
});

/**
 * Writes and events that store a new link. The transaction fails if the link exists.
 *
 * @param business the CRB of the link
 */
export function newLinkWrites(
  table: Table,
  names: LinkNames,
  registered: RegisteredLicense,
  { linkedBy, business, now }: { linkedBy: LicenseActor; business: NamedBusiness; now: Date },
): { link: Link; writes: TransactWriteItem[]; events: NewEvent[] } {
  const facts = factsOf(registered);
  const day = licenseDay(now);
  const notice = dueNotice(facts, day, undefined);
  const { status } = statusOn(facts, day);
  const linkedDate = now.toISOString();
  const link: Link = { ...facts, names, linkedDate, linkedBy, status, notice: noticeSent(notice), day, version: 1 };
  const { spId, crbId, licenseId } = names;
  const data = {
    license_id: licenseId,
    linked_by: linkedBy.id,
    linked_by_kind: linkedBy.kind,
    holder_matches: compareHolder(link.holder, business),
  };
  return {
    link,
    writes: [linkWrite(table, link, undefined), licenseHistoryWrite(table, link, { day, status })],
    events: [{ type: "license.linked", spId, crbId, data }, ...(notice ? [expiringEvent(names, notice.days)] : [])],
  };
}

/**
 * Writes and events that bring a link to a day, and to the license's present row in the register if the row has changed.
 * The transaction fails if the link has changed or is gone.
 *
 * @param registered the license in the present register; undefined if it has the row with which the link was written
 * @returns undefined if nothing changes
 */
export function changedLinkWrites(
  table: Table,
  before: Link,
  registered: RegisteredLicense | undefined,
  day: string,
): { link: Link; writes: TransactWriteItem[]; events: NewEvent[] } | undefined {
  // Clocks of two machines can differ at midnight. A status never returns to an earlier day.
  if (day < before.day) return undefined;
  const facts = registered ? factsOf(registered) : before;
  const { status } = statusOn(facts, day);
  const notice = dueNotice(facts, day, before.notice);
  if (!registered && status === before.status && !notice) return undefined;
  const sent = noticeSent(notice) ?? before.notice;
  const ended = { endedSince: endedSince(before, facts, day) };
  const link: Link = { ...before, ...facts, ...ended, status, notice: sent, day, version: before.version + 1 };
  const { names } = before;
  const data = { license_id: names.licenseId, from: before.status, to: status };
  return {
    link,
    writes: [
      linkWrite(table, link, before.version),
      ...(status === before.status && link.expiresAt === before.expiresAt
        ? []
        : [licenseHistoryWrite(table, link, { day, status })]),
    ],
    events: [
      ...(status === before.status
        ? []
        : [{ type: "license.status.changed", spId: names.spId, crbId: names.crbId, data } as const]),
      ...(notice ? [expiringEvent(names, notice.days)] : []),
    ],
  };
}

/**
 * The first day on which a license has not permitted business since, by its former row and its present one; null if it permits
 * business, or if no such day is certain. Another row of a license that has ended does not move its end.
 */
function endedSince(before: Link, facts: RegisterFacts, day: string): string | null {
  const end = endOn(facts, day);
  // With another expiry, the license may have been renewed before it ended.
  if (end === null || before.missingSince !== null || before.expiresAt !== facts.expiresAt) return end;
  return [end, endOn(before, day) ?? end].sort()[0] as string;
}

const noticeSent = (notice: ExpiryNotice | undefined): ExpiryNotice | undefined =>
  notice && { expiresAt: notice.expiresAt, period: notice.period };

const expiringEvent = ({ spId, crbId, licenseId }: LinkNames, days: number): NewEvent => ({
  type: "license.expiring",
  spId,
  crbId,
  data: { license_id: licenseId, days },
});

function linkWrite(table: Table, { names, ...stored }: Link, version: number | undefined): TransactWriteItem {
  const key = linkedLicenseKey(names.spId, names.crbId, names.licenseId);
  return table.putWrite({ ...key, ...stored }, unchanged("version", version));
}

/** Writes and events that delete a link. The transaction fails if the link has changed or is gone. */
export function deletionWrites(
  table: Table,
  link: Link,
  by: LicenseActor,
  now: Date,
): { writes: TransactWriteItem[]; events: NewEvent[] } {
  const { names, version } = link;
  const { spId, crbId, licenseId } = names;
  const data = { license_id: licenseId, unlinked_by: by.id, unlinked_by_kind: by.kind };
  return {
    writes: [
      table.deleteWrite(linkedLicenseKey(spId, crbId, licenseId), unchanged("version", version)),
      licenseHistoryWrite(
        table,
        { ...link, version: version + 1 },
        { day: [licenseDay(now), link.day].sort()[1] as string, status: "unlinked" },
      ),
    ],
    events: [{ type: "license.unlinked", spId, crbId, data }],
  };
}

/**
 * The record that callers see.
 *
 * @param days the days of the last imports, which may be later than the link's last change
 * @param business the CRB of the link
 */
export function toLinkedLicense(link: Link, days: Present["days"], business: NamedBusiness): LinkedLicense {
  const { body, linkedDate, linkedBy, status, day, register, registerDay } = link;
  return {
    ...(JSON.parse(body) as License),
    status_date: statusOn(link, day).statusDate,
    linked_date: linkedDate,
    linked_by: linkedBy.id,
    linked_by_person: toPerson(linkedBy.person),
    linked_by_kind: linkedBy.kind,
    holder_matches: compareHolder(link.holder, business),
    status,
    register_date: days?.[register] ?? registerDay,
  };
}
