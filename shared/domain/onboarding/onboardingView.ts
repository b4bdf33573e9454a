import type { CrbStatus } from "../../api/enumerations.ts";
import { unauthorized } from "../../api/errors.ts";
import type { LinkedLicense } from "../../api/schemas/linkedLicense.ts";
import type { MissingStep, Onboarding as OnboardingRecord } from "../../api/schemas/onboarding.ts";
import type { Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { readServiceProvider } from "../../store/crbs.ts";
import { associationKey } from "../../store/keys/crbs.ts";
import { readInvitations } from "../invitations/invitations.ts";
import { maxLinks } from "../linkedLicenses/linkLicense.ts";
import { listLinkedLicenses } from "../linkedLicenses/readLinks.ts";
import { isActive } from "../statuses/requirementStatus.ts";
import { type Answers, documentsOf, toRequirement } from "./answers.ts";
import { type InvitedUser, requirementForUser } from "./invitedUser.ts";
import { type Onboarding, readOnboarding } from "./readOnboarding.ts";
import { terms } from "./terms.ts";

/**
 * The onboarding as an invited user sees it (docs/spec.md#in-app-onboarding), without data of other businesses, and without
 * internal notes, credentials and persons of the service provider.
 *
 * @throws ServiceError "unauthorized" if the association has just ended
 */
export async function onboardingView(table: Table, { crbId, spId, by }: InvitedUser): Promise<OnboardingRecord> {
  const [association, onboarding, serviceProvider, invitations, linked] = await Promise.all([
    table.get(associationKey(spId, crbId), { consistent: true }),
    readOnboarding(table, crbId),
    readServiceProvider(table, spId),
    readInvitations(table, crbId),
    listLinkedLicenses(table, spId, crbId, { offset: 0, limit: maxLinks }),
  ]);
  const user = invitations.find(({ id }) => id === by);
  if (!association || !onboarding || !serviceProvider || !user) throw unauthorized();
  const { crb, answers, documents } = onboarding;
  const { name, state, business_type, status } = crb.record;
  const giver = invitations.find(({ id }) => id === crb.consent?.givenBy);
  return {
    crb_id: crbId,
    business: { name, state, business_type },
    service_provider: { name: serviceProvider.name },
    user: { first_name: user.firstName, last_name: user.lastName, email: user.email },
    status,
    under_review_since: underReviewSince(status, answers),
    terms: terms(),
    consent: crb.consent
      ? {
          terms_version: crb.consent.termsVersion,
          date: crb.consent.date,
          given_by: giver ? `${giver.firstName} ${giver.lastName}` : "",
        }
      : null,
    pos: posOf(crb),
    requirements: answers.requirements.map((answered) =>
      requirementForUser(toRequirement(answered, documents), new Set(invitations.map(({ id }) => id))),
    ),
    licenses: linked.licenses.map(licenseOf),
    missing: missingSteps(onboarding),
  };
}

/** The date of the answers at which the CRB entered a status in which a review is due (docs/spec.md#templates-and-answers). */
function underReviewSince(status: CrbStatus, { submitted_date, review_start_date }: Answers): string | null {
  if (status === "bank_review_in_progress") return review_start_date;
  return status.endsWith("_awaiting_review") ? (submitted_date ?? null) : null;
}

const licenseOf = (license: LinkedLicense): OnboardingRecord["licenses"][number] => {
  const { id, license_identifier, licensee, businesses, licensing_authority_name } = license;
  const { status, expires_at, holder_matches, linked_by_kind } = license;
  return {
    id,
    license_identifier,
    licensee,
    trade_names: businesses.map(({ name }) => name),
    licensing_authority_name,
    holder_matches,
    linked_by_kind,
    status,
    expires_at,
  };
};

/** The configuration of the present connection; without a connection, the configuration that was changed last. */
function posOf({ record, connection }: Crb): OnboardingRecord["pos"] {
  const newest = record.pos_configs.toSorted((one, other) => (one.updated_date < other.updated_date ? 1 : -1))[0];
  const config = record.pos_configs.find(({ name }) => name === connection?.posType) ?? newest;
  return config
    ? { name: config.name, status: config.status ?? "Not Connected", updated_date: config.updated_date }
    : null;
}

/** The steps required before submission, in the order in which users take them. */
export function missingSteps({
  crb,
  answers,
  documents,
}: Pick<Onboarding, "crb" | "documents"> & { answers: Pick<Answers, "requirements"> }): MissingStep[] {
  const { consent, connection, usesFiles, record } = crb;
  const config = record.pos_configs.find(({ name }) => name === connection?.posType);
  const unmet = answers.requirements.filter(
    (requirement) =>
      requirement.required &&
      !requirement.archived &&
      !documentsOf(requirement, documents).some(({ review }) => isActive(review.status)),
  );
  return [
    ...(consent ? [] : [{ step: "consent" as const }]),
    ...(usesFiles || config?.status === "Connected" ? [] : [{ step: "pos_connection" as const }]),
    ...unmet.map(({ requirement_id }) => ({ step: "document" as const, requirement_id })),
  ];
}
