import { conflict } from "../../api/errors.ts";
import { applyPosConfigMove } from "../../pos/posConfigStatus.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { consentHistoryKey } from "../../store/keys/crbHistory.ts";
import { posCredentialsKey } from "../../store/keys/crbs.ts";
import { connectionsEndWrites } from "../../store/stateConnections.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { requestNotices } from "../invitations/invitationQueue.ts";
import { noticeWrites } from "../invitations/sendNotices.ts";
import { restartWrites } from "../replication/restartWrites.ts";
import { moveCrb } from "../statuses/crbStatus.ts";
import { changeOnboardingStatus, type OnboardingStatus } from "./statusChange.ts";
import { namedSystems, terms } from "./terms.ts";

/** The CRB and the user of a consent or withdrawal. */
interface ConsentOf {
  crbId: string;
  /** Id of the user's invitation. */
  by: string;
}

/**
 * Gives consent to the present terms (docs/spec.md#consent), stores user, time and version, and requests a mail to all
 * users that keeps the terms. An existing consent to the same version stays unchanged.
 *
 * @throws ServiceError "conflict" if the version is not the present version, with the present version in `data`;
 *   "notFound" if the association has ended
 */
export async function giveConsent(
  table: Table,
  { crbId, by }: ConsentOf,
  termsVersion: string,
  clock: Clock = systemClock,
): Promise<void> {
  const present = terms();
  const { version } = present;
  if (termsVersion !== version)
    throw conflict("terms_changed", "The terms have changed: read them again.", { terms_version: version });
  const change = ({ crb: { withdrawal, ...crb }, now }: OnboardingStatus) => {
    if (crb.consent?.termsVersion === version) return undefined;
    const named = namedSystems();
    const consent = {
      termsVersion: version,
      date: now.toISOString(),
      givenBy: by,
      ...(named.length > 0 && { stateSystems: named }),
    };
    const status = moveCrb(crb.record.status, "start") ?? crb.record.status;
    const event = {
      type: "onboarding.consent.given" as const,
      ...ownersOf(crb),
      data: { terms_version: version, invitation_id: by },
    };
    return {
      crb: { ...crb, consent, record: { ...crb.record, status } },
      writes: [
        ...noticeWrites(table, crbId, "consent", now, present),
        table.putWrite({ ...consentHistoryKey(crbId, consent.date), event: "given", terms_version: version, by }),
      ],
      events: [event],
    };
  };
  await changeOnboardingStatus(table, crbId, change, clock, by);
  await requestNotices(crbId);
}

/** A withdrawal that the journal contains. */
interface JournaledWithdrawal {
  /** The time of the journal entry. */
  at: Date;
  /**
   * Set when the entry is replayed. A consent or connection that is later than the entry then stays, and users get no
   * notice.
   */
  isReplayed?: true;
}

/**
 * Withdraws consent and ends the POS connection (docs/spec.md#consent). One transaction erases the credentials, stops
 * replications and requests a notice to all users. Afterwards no request to the POS begins, and responses in transit are not
 * stored. Replicated records stay. Without consent or connection nothing changes.
 *
 * @returns whether the CRB exists
 * @throws ServiceError "notFound" if the association has ended
 */
export async function withdrawConsent(
  table: Table,
  { crbId, by }: Omit<ConsentOf, "by"> & Partial<ConsentOf>,
  clock: Clock = systemClock,
  noted?: JournaledWithdrawal,
): Promise<boolean> {
  const again = noted?.isReplayed && noted;
  const change = async ({ crb: { consent, ...crb }, now }: OnboardingStatus) => {
    if (!holdsConsent({ ...crb, ...(consent && { consent }) }, again?.at)) {
      // Since the journal entry was written, a replay of the entry may have withdrawn the consent. A replay requests no
      // notices, so this call requests them.
      const isReplayed = noted && !again && crb.withdrawal?.date === noted.at.toISOString();
      return isReplayed ? { crb, writes: noticeWrites(table, crbId, "withdrawal", now) } : undefined;
    }
    const { status, pos_configs } = crb.record;
    const disconnected = pos_configs.reduce(
      (configs, { name }) => applyPosConfigMove(configs, name, "remove", now) ?? configs,
      pos_configs,
    );
    const date = (again?.at ?? now).toISOString();
    const after: Crb = {
      ...crb,
      connection: null,
      withdrawal: { date, ...(by && { by }) },
      record: { ...crb.record, status: moveCrb(status, "withdraw") ?? status, pos_configs: disconnected },
    };
    const writes = [
      table.deleteWrite(posCredentialsKey(crbId)),
      ...connectionsEndWrites(table, crbId),
      ...(await restartWrites(table, crbId)),
      ...(again ? [] : noticeWrites(table, crbId, "withdrawal", now)),
      table.putWrite({
        ...consentHistoryKey(crbId, date),
        event: "withdrawn",
        terms_version: consent?.termsVersion ?? null,
        by: by ?? null,
      }),
    ];
    const data = by === undefined ? {} : { invitation_id: by };
    const event = { type: "onboarding.consent.withdrawn" as const, ...ownersOf(crb), data };
    return { crb: after, writes, events: [event] };
  };
  return (await changeOnboardingStatus(table, crbId, change, clock)) !== undefined;
}

/**
 * Whether there is consent to withdraw, or a connection that the service provider made without consent.
 *
 * @param until only a consent or connection no later than this instant counts
 */
function holdsConsent(crb: Pick<Crb, "consent" | "connection">, until?: Date): boolean {
  const since = heldSince(crb);
  return since !== undefined && (until === undefined || since <= until.toISOString());
}

/** The time of the consent or connection to withdraw, ISO 8601; undefined if there is neither. */
export const heldSince = ({ consent, connection }: Pick<Crb, "consent" | "connection">): string | undefined =>
  consent?.date ?? connection?.connectedAt;

/** The service provider and the CRB of an event. */
const ownersOf = ({ serviceProviderId: spId, record }: Omit<Crb, "consent">) => ({ spId, crbId: record.id });
