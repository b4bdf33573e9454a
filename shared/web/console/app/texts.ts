import type * as api from "../../../api/enumerations.ts";
import type { KindName } from "../../../api/kinds.ts";
import type { ReconciliationDay } from "../../../api/schemas/reconciliation.ts";
import type { HolderMatch } from "../../../text/compareHolder.ts";
import { failureMessage } from "../../browser/failureMessage.ts";
import { Rejection } from "../../browser/failures.ts";
import type { Meaning } from "./deposits/mapping.ts";
import { counted, formatTime } from "./format.ts";

// The words of the console for values of the API: each value has the same words everywhere.

/** The kind of a mark: a decision is due or a rule is broken, a look is advisable, all is well, or nothing is known. */
export type Mark = "act" | "look" | "wait" | "good" | "idle";

/** The state of something, as a mark and words. */
export type StateWords = readonly [mark: Mark, words: string];

/** A code of the API in words: `large_cash_payment` becomes `Large cash payment`. */
export const inWords = (code: string): string => `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll("_", " ")}`;

/** The words of values. A value without them, such as one that a newer service added, is shown in its own words. */
const textsOf =
  <Value extends string>(texts: Readonly<Partial<Record<Value, string>>>) =>
  (value: string): string =>
    (Object.hasOwn(texts, value) && texts[value as Value]) || inWords(value);

/** The same with marks; a mark alone stands for the value in its own words. @param others the mark of other values */
const statesOf =
  <Value extends string>(states: Readonly<Partial<Record<Value, StateWords | Mark>>>, others: Mark = "idle") =>
  (value: string): StateWords => {
    const state = (Object.hasOwn(states, value) && states[value as Value]) || others;
    return typeof state === "string" ? [state, inWords(value)] : state;
  };

/** The name of a person, or the identifier of a person without one. */
export const nameOfPerson = ({ name, sub }: { name: string | null; sub: string }): string => name ?? sub;

/** The state of a day with sales. */
export function dayState(day: { complete: boolean; revision: number }): StateWords {
  if (!day.complete) return ["wait", "Incomplete"];
  return day.revision > 0 ? ["wait", "Revised"] : ["good", "Complete"];
}

/** Due-diligence statuses of a business. */
export const crbState = statesOf<api.CrbStatus>({
  svc_pending: ["idle", "Invited"],
  svc_in_progress: ["idle", "In onboarding"],
  svc_awaiting_review: ["wait", "Operator reviews"],
  svc_approved: ["good", "Approved by the operator"],
  bank_pending: ["idle", "No document yet"],
  bank_in_progress: ["idle", "Documents missing"],
  bank_awaiting_review: ["wait", "Documents wait"],
  bank_review_in_progress: ["wait", "Documents in review"],
  bank_approved: ["good", "Approved"],
  bank_disconnected: ["idle", "Paused"],
});

/** Replications of a business. */
export const dataState = statesOf<(typeof api.replicationStates)[number]>({
  current: "good",
  manual: ["good", "By files"],
  late: "wait",
  failing: "look",
  waiting: ["wait", "Not read yet"],
  initial: ["wait", "First reading"],
});

/** Linked licenses. */
export const licenseState = statesOf<api.LinkedLicenseStatus>({
  active: "good",
  expiring: ["wait", "Expires soon"],
  expired: "act",
  inactive: ["act", "Not active"],
  missing: ["look", "Not in the register"],
});

/** Days of the reconciliation. */
export const reconciliationState = statesOf<ReconciliationDay["status"]>({
  within: ["good", "Within range"],
  count_differs: ["act", "Count differs"],
  deposits_unexplained: ["act", "Unexplained"],
  cash_outstanding: "look",
});

/** Matters of a business; those of insights are decided, and all others need to be known. */
export const matterState = statesOf(
  {
    deposits_unexplained: ["act", "Unexplained deposit"],
    cash_count_differs: ["act", "Cash count differs"],
    state_variance: ["act", "Differs from the state"],
    days_without_deposit: ["wait", "No cash deposit"],
    flagged_sale: ["act", "Sale breaks a rule"],
    sales_without_active_license: ["act", "Sales without a license"],
    repeat_purchases: ["look", "Repeated purchases"],
    revenue_above_baseline: ["look", "Sales above usual"],
    cash_share_changed: ["look", "Share of cash changed"],
    outside_own_hours: ["look", "Sales outside usual hours"],
    voids_above_baseline: ["look", "Voids above usual"],
    returns_above_baseline: ["look", "Returns above usual"],
    revenue_above_statement: ["look", "Sales above the stated ones"],
    peer_outlier: ["look", "Sales far from comparable shops"],
    flagged_sales_share: ["look", "Many flagged sales"],
    unknown_customer_share: ["look", "Many unknown customers"],
    document_to_review: ["wait", "Document waits"],
    license_inactive: ["act", "License not active"],
    license_expired: "act",
    license_missing: ["look", "License not in the register"],
    license_expiring: ["wait", "License expires"],
    data_failing: ["look", "Replication fails"],
    data_late: "wait",
  },
  "look",
);

/** Insights; the words of decisions on them, too. */
export const insightState = statesOf<api.InsightStatus>({ open: "act", escalated: "look", explained: "good" });

/** The rules' results for a sale. A sale is never said to be compliant. */
export const saleState = statesOf<(typeof api.complianceStatuses)[number]>({
  red_flag: ["act", "Breaks a rule"],
  warning: "look",
  svc_checked: ["good", "Checked, nothing found"],
  unchecked: ["idle", "Not fully checked"],
});

/** Documents of a requirement. */
export const documentState = statesOf<(typeof api.requirementDocumentStatuses)[number]>({
  pending: ["wait", "Waits"],
  approved: ["good", "Accepted"],
  archived: ["idle", "Not accepted"],
});

/** The result of one rule for a sale. */
export const checkState = statesOf({
  violated: ["act", "Breaks the rule"],
  passed: "good",
  not_evaluated: ["idle", "Not checked"],
});

/** Why a rule was not checked. */
export const checkReason = textsOf({
  not_applicable: "The rule does not concern this sale.",
  no_sale: "It is a return or a void, not a sale.",
  time_missing: "The time of the sale is missing.",
  customer_type_missing: "The point of sale does not say whether the sale is medical or adult use.",
  products_unclear: "The kind of a product is unclear.",
  amounts_missing: "An amount or a weight is missing, so the value is the least that it can be.",
  prices_missing: "A price is missing.",
  lines_taken_back: "A part of the sale was taken back.",
  may_be_a_caregiver: "The buyer can be a caregiver, whose age has another limit.",
  date_of_birth_missing: "The date of birth is missing.",
  date_of_birth_implausible: "The date of birth cannot be right.",
  expiration_missing: "The date of expiry is missing.",
  expiration_implausible: "The date of expiry cannot be right.",
  no_rule: "No rule about age, limits or adult use applies.",
  stored_later: "The sale arrived more than three days late, so the customer’s present record may differ.",
});

/** Statements and reports of days, which the service makes after the request. */
export const jobState = statesOf<(typeof api.statementStatuses)[number] | (typeof api.accessReportStatuses)[number]>({
  queued: ["wait", "Waits to be made"],
  running: ["wait", "Is being made"],
  ready: "good",
  failed: "act",
});

/** Why one failed, with the next step. */
export const jobFailure = textsOf<api.StatementError | (typeof api.accessReportErrors)[number]>({
  too_long: "There are too many requests. Make reports of shorter periods.",
  too_slow: "There are too many records or requests. Choose a shorter period, and request it again.",
  unexpected: "Something went wrong on our side. Request it again.",
});

/** What a holder in the register has to do with the business: `not_compared` if the register does not have the license. */
export const holderState = statesOf<HolderMatch | "not_compared">({
  same: "good",
  similar: "look",
  different: ["act", "Differs"],
});

/** The files of statements. */
export const formatName = textsOf<(typeof api.statementFormats)[number]>({
  html: "Pages to read and print",
  csv: "Tables (CSV)",
  json: "Data for programs (JSON)",
});

export const depositName = textsOf<(typeof api.depositTypes)[number]>({ ach: "ACH" });

/** Why a posting does not count. */
export const excludedReason = textsOf<(typeof api.excludedReasons)[number]>({ not_sales: "Not from sales" });

/** What columns of a file of deposits mean. */
export const meaningName = textsOf<Meaning>({
  id: "Id of the posting",
  posted_date: "Day posted",
  business_date: "Business day",
});

/** What the threshold of an insight counts; a code without it has none. */
export const thresholdUnits: Readonly<Record<string, string>> = {
  state_variance: "% more or less than the sales day",
  large_cash_payment: "US dollars of a customer on a day",
  repeat_purchases: "purchases of a customer on a day",
  revenue_above_baseline: "times the usual sales of the weekday",
  cash_share_changed: "points more or less than in the 12 weeks before",
  equal_amounts: "times the usual share",
  outside_own_hours: "sales on a day",
  voids_above_baseline: "deviations above the usual",
  returns_above_baseline: "deviations above the usual",
  no_sales: "business days in a row",
  revenue_above_statement: "times the stated monthly sales",
  peer_outlier: "times the median of comparable businesses",
  flagged_sales_share: "% of the sales of 28 days",
  unknown_customer_share: "% of the sales of 28 days",
};

/** Means of payment that do not say whether cash was paid. */
export const unclearPayment = textsOf<api.UnclearPaymentType>({ multiple: "Several means" });

/** Who linked a license. */
export const actorName = textsOf<api.LicenseActorKind>({
  service_provider: "by your bank",
  invited_user: "by the business",
  operator: "by the operator",
});

export const kindName = textsOf<KindName>({ "inventory-locations": "Storage locations" });

/** Why a reading of the point of sale failed, with what to do. */
export const replicationFailure = textsOf<api.ReplicationError>({
  credentials_refused:
    "The point of sale rejects the credentials. The business has to enter new ones at its invitation.",
  location_gone: "The point of sale no longer has this location. The business has to choose another one.",
  not_permitted: "The credentials do not permit this reading. The business has to extend their permissions.",
  limited: "The point of sale permits too few requests. Nothing to do: the service continues more slowly.",
  unreachable: "The point of sale does not respond. Nothing to do: the service tries again.",
  not_understood: "The responses of the point of sale cannot be read. The operator works on it.",
  unexpected: "An error of the service. The operator works on it.",
});

/** Requests that the present state does not permit, with what to do. */
const conflicts: Readonly<Record<string, string>> = {
  already_invited:
    "Your bank has already invited this business, and it has not connected its point of sale yet. Find it in the portfolio.",
  insight_changed:
    "This insight has changed since you opened it: its figures did, or another person decided. Your note is kept. Load it again, compare, then save.",
  insight_withdrawn:
    "This insight does not hold any more, because its data has changed. It takes no decision. Load the list again.",
  status_not_allowed:
    "This document was reviewed meanwhile. Your note is kept. Load the list again to see what still waits.",
};

/** The faults of the fields of a request, a sentence each: `End date: must not be in the future.` */
const reasonsOf = ({ fields }: Rejection): string[] =>
  Object.entries(fields).map(([place, { message }]) => {
    // A form names its fields, and not the record or the list that the request has them in.
    const name = place.replace(/^\w+\.(org\.|\w+\.\d+\.)?/, "").replaceAll(".", " ");
    return `${inWords(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))}: ${message}.`;
  });

/** Why a request has to wait for longer than a minute. */
const delays: Readonly<Record<string, string>> = {
  invitation_limit: "Your bank has sent as many invitations today as it can.",
  report_day_limit: "Your bank has requested as many reports today as it can.",
  statement_day_limit: "As many statements of this business were requested today as it can have.",
};

/** The reason of a long wait, with its end; undefined for other failures. */
function delayOf({ code, data, retryAfter }: Rejection): string | undefined {
  const { restoring } = (data ?? {}) as { restoring?: number };
  const restored = restoring === undefined ? "this business" : counted(restoring, "business", "businesses");
  const why =
    code === "restoring"
      ? `The records of ${restored} are being restored from a backup and checked. Nothing is lost.`
      : delays[code];
  return why && `${why} Try again after ${formatTime(Date.now() + retryAfter * 1_000)}.`;
}

/** The message of a failed call, with what to do. @param support the support address */
export function explainFailure(failure: unknown, role: api.PersonRole, support: string): string {
  if (failure instanceof Rejection) {
    const { status, code } = failure;
    if (code === "role_missing" || code === "scope_missing")
      return `Your role, ${role}, does not include this. Roles come from your bank’s own accounts; the person who manages them can change yours.`;
    const places = Object.keys(failure.fields);
    if (status === 404 || (places.length > 0 && places.every((place) => place.startsWith("path."))))
      return "This does not exist, or your bank’s access to this business has ended. Go back to the portfolio.";
    if (status === 409) return conflicts[code] ?? `${failure.message} Load the page again to see the present state.`;
    const words = [failure.message, ...reasonsOf(failure)].filter(Boolean).join(" ");
    if ((status === 422 || status === 403) && words) return words;
    if (status === 403)
      return `This was rejected without a reason, as by a network that blocks it. Try again. If it happens again, contact the people who manage your bank’s network, or write to ${support}.`;
    const delay = delayOf(failure);
    if (delay) return delay;
  }
  return failureMessage(failure, support);
}
