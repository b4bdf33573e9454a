import type { PosCustomer } from "../../posRecords.ts";
import { termReader } from "./words.ts";

const readTerms = termReader([
  ["medical", "medical,med,medicinal,mmj,patient"],
  ["caregiver", "caregiver"],
  ["rec", "rec,recreational,adult use"],
  ["adult", "adult"],
  [
    "nothing",
    "card,cannabis,marijuana,consumer,qualified,qualifying,customer,client,member,use,user,third,party,id,mmid,mmjid,designated,registered,state,in,out,of,resident,over,under,age,year,yr,plus,up,and,with,tax,type",
  ],
] as const);

/** The terms of a name; none if one of its words is not known, because it can deny or limit the others. */
const readKnown = (name: string | null) => {
  const terms = readTerms(name);
  return new Set(terms.includes(null) ? [] : terms);
};

/**
 * Whether a POS's type of customers is medical or recreational. Only whole words count. `Adult` is also a patient's age, so it
 * means recreational only if nothing says medical.
 *
 * @returns null for a name of both, and for a name with another word: `Former Patient`, `Medical (revoked)`, `Medical staff`
 */
export function customerTypeOf(name: string | null): PosCustomer["svc_customer_type"] {
  const terms = readKnown(name);
  const isMedical = terms.has("medical") || terms.has("caregiver");
  if (isMedical) return terms.has("rec") ? null : "medical";
  return terms.has("rec") || terms.has("adult") ? "rec" : null;
}

/** True for a POS's type of caregivers; null if the name does not say so. */
export function isCaregiver(name: string | null): true | null {
  return readKnown(name).has("caregiver") || null;
}
