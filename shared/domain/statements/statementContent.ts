import type { LinkedLicenseStatus } from "../../api/enumerations.ts";
import type { Crb } from "../../api/schemas/crb.ts";
import type { CashCount, Deposit } from "../../api/schemas/deposit.ts";
import type { ReconciliationDay, ReconciliationSettings } from "../../api/schemas/reconciliation.ts";
import type { Replication } from "../../api/schemas/replication.ts";
import type { SalesDay } from "../../api/schemas/salesDay.ts";
import type { StateDay } from "../../api/schemas/stateSystem.ts";
import type { ConsentChange } from "../onboarding/consentHistory.ts";
import type { AgedInsight } from "./insightAsOf.ts";

/**
 * The content of `statement.json` (docs/spec.md#content-of-a-statement). The other files of a statement are made from it alone.
 * It has neither the id of the statement nor the time of its making, so that two statements of one instant have equal texts.
 */
export interface StatementContent {
  crb: Pick<
    Crb,
    | "id"
    | "name"
    | "dba"
    | "ein"
    | "street_address"
    | "street_address_2"
    | "city"
    | "state"
    | "postal_code"
    | "timezone"
    | "business_type"
    | "status"
  >;
  start_date: string;
  end_date: string;
  as_of: string;
  /** Version of the rules by which the stored sales were checked last; null before the first reading. */
  rules_version: string | null;
  /** The days that are not complete, and those about which nothing is known. */
  incomplete_days: string[];
  /** Days without any record; those that are complete had no sales. */
  days_without_records: string[];
  /** What the statement cannot show as of `as_of`. */
  remarks: string[];
  licenses: StatementLicense[];
  consents: ConsentChange[];
  totals: StatementTotals;
  days: Omit<SalesDay, "crb_id" | "timezone" | "data_as_of">[];
  checks: {
    by_rule: { rule_id: string; finding: "exception" | "warning"; sales: number; total_paid: number }[];
    flagged_sales: FlaggedSale[];
  };
  deposits: {
    settings: ReconciliationSettings;
    by_type: { type: Deposit["type"]; counted: boolean; count: number; amount: number }[];
    records: Deposit[];
    cash_counts: CashCount[];
    /** The balance at the end of the last day that has one. */
    balance: Pick<ReconciliationDay, "date" | "balance_low" | "balance_high" | "counted"> | null;
    days: ReconciliationDay[];
  };
  /** The totals of the state's system, oldest day first; empty without a connection. */
  state_days: Omit<StateDay, "crb_id">[];
  insights: AgedInsight[];
  sources: (Pick<Replication, "kind" | "state" | "data_as_of" | "rejected_records"> & { pos_type: string | null })[];
  access: StatementAccess;
  comparison: StatementComparison | null;
}

export interface StatementLicense {
  license_id: string;
  number: string | null;
  holder: string | null;
  /** At the end of the first day; null if the license was not linked then. */
  status_at_start: LinkedLicenseStatus | null;
  /** At the end of the last day. */
  status_at_end: LinkedLicenseStatus | null;
  expires_at: string | null;
}

type Shared = { share: number | null };

/** Sums over all days of the statement. A share is in percent of the sum of its table, with two decimals. */
export interface StatementTotals
  extends Pick<
    SalesDay,
    | "records"
    | "sales"
    | "returns"
    | "adjustments"
    | "gross_sales"
    | "subtotal"
    | "total_discounts"
    | "fees"
    | "tax_paid"
    | "total_paid"
    | "invoiced"
    | "open_balance"
    | "unknown_amounts"
    | "mismatched"
  > {
  by_payment: (SalesDay["by_payment"][number] & Shared)[];
  by_customer_type: ({ type: keyof SalesDay["by_customer_type"]; count: number; total_paid: number } & Shared)[];
  by_compliance: ({ status: keyof SalesDay["by_compliance"]; count: number; total_paid: number } & Shared)[];
}

export interface FlaggedSale {
  sale_id: string;
  date: string;
  status: "red_flag" | "warning";
  total_paid: number | null;
  exceptions: string[];
  warnings: string[];
}

/** Who read the data: the permitted requests for the business on UTC days, by credential and person. */
export interface StatementAccess {
  /** First instant, inclusive, and last instant, exclusive. */
  from: string;
  to: string;
  /** Why the requests are not included; null if they are. */
  not_included: string | null;
  /** Parts of the log that could not be read or delivered: their requests may be missing in `readers`. */
  unreadable: number;
  readers: {
    client_id: string;
    owner: string;
    /** Id of the person at the identity provider; null for programs. */
    sub: string | null;
    requests: number;
    last_date: string;
  }[];
}

/** The differences from an earlier statement of the same days. */
export interface StatementComparison {
  statement_id: string;
  as_of: string;
  differences: StatementDifference[];
}

/** A field that differs. A value is null where the item is missing. */
export interface StatementDifference {
  /** The part of the content, such as `days`. */
  part: string;
  /** The item in the part, such as a day or an id; empty if the part is one item. */
  item: string;
  field: string;
  before: unknown;
  after: unknown;
}
