import type { PosCustomer } from "../../posRecords.ts";
import { termReader } from "./words.ts";

const readTerms = termReader([
  ["medical", "medical,med,medicinal,mmj,patient"],
  ["caregiver", "caregiver"],
  ["rec", "rec,recreational,adult use"],
  ["adult", "adult"],
  ["negation", "non,not,no,without,former,ex,expired,inactive,pending,nonmedical,nonpatient"],
] as const);

/**
 * Whether a POS's type of customers is medical or recreational. Only whole words count. `Adult` is also a patient's age, so it
 * means recreational only if nothing says medical.
 *
 * @returns null for other names, for a name of both, and for a name with a negation, which may not say what a customer is
 */
export function customerTypeOf(name: string | null): PosCustomer["svc_customer_type"] {
  const terms = new Set(readTerms(name));
  if (terms.has("negation")) return null;
  const isMedical = terms.has("medical") || terms.has("caregiver");
  if (isMedical) return terms.has("rec") ? null : "medical";
  return terms.has("rec") || terms.has("adult") ? "rec" : null;
}

/** True for a POS's type of caregivers; null if the name does not say so. */
export function isCaregiver(name: string | null): true | null {
  const terms = readTerms(name);
  return (terms.includes("caregiver") && !terms.includes("negation")) || null;
}
