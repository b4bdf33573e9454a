import type { MetrcCustomerType } from "../../api/enumerations.ts";

/** The receipts of one business day of a license in the state's system. It names no person and no receipt. */
export interface StateDay {
  /** the local day of the sales, yyyy-MM-dd */
  date: string;
  /** number of receipts that are not voided */
  receipts: number;
  /** number of voided receipts */
  voided: number;
  /** sum of the receipts that are not voided, in cents */
  total: number;
  /** the receipts that are not voided by type of customer; a type without receipts is absent */
  by_customer_type: Partial<Record<MetrcCustomerType, { receipts: number; total: number }>>;
  /** whether the day had ended at `dataAsOf` and all its receipts are counted */
  complete: boolean;
  /** SHA-256 of the day's receipts, hexadecimal: of their ids, amounts and types of customers, and whether they are voided */
  digest: string;
  /** the instant up to which changes of receipts are contained, ISO 8601 UTC */
  dataAsOf: string;
}

/** A stored day. */
export interface StoredStateDay {
  day: StateDay;
  /** a later reading that has fewer receipts than `day`, and that another reading must confirm */
  unconfirmed?: { receipts: number; dataAsOf: string };
}

/**
 * Combines a stored day with a later reading of it. Receipts do not disappear from Metrc, because a voided receipt stays in its
 * day. A reading with fewer receipts, voided ones included, may come from a system in trouble. So the stored figures stay,
 * as incomplete, until a complete reading that began later confirms the loss. That reading must not have lost more receipts.
 *
 * A reading that comes twice, or after a later one, changes nothing.
 */
export function confirmStateDay(stored: StoredStateDay | undefined, read: StateDay): StoredStateDay {
  if (!stored) return { day: read };
  const { day, unconfirmed } = stored;
  if (read.dataAsOf <= (unconfirmed?.dataAsOf ?? day.dataAsOf)) return stored;
  const receipts = countOf(read);
  const isConfirmed = unconfirmed !== undefined && read.complete && receipts >= unconfirmed.receipts;
  if (receipts >= countOf(day) || isConfirmed) return { day: read };
  return { day: { ...day, complete: false }, unconfirmed: { receipts, dataAsOf: read.dataAsOf } };
}

const countOf = ({ receipts, voided }: StateDay) => receipts + voided;
