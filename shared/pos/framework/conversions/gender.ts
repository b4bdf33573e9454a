import type { PosCustomer } from "../../posRecords.ts";

const genders: Readonly<Record<string, PosCustomer["gender"]>> = {
  m: "Male",
  male: "Male",
  f: "Female",
  female: "Female",
  u: null,
  unknown: null,
  "not specified": null,
};

/** The gender of the specification for what a POS calls it, without letter case; null where it says that it does not know. */
export function genderOf(gender: string | null): PosCustomer["gender"] {
  const name = gender?.toLowerCase();
  if (name === undefined) return null;
  return Object.hasOwn(genders, name) ? (genders[name] ?? null) : "Other";
}
