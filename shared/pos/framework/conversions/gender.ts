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

/** Maps a POS's gender, in any letter case, to one of the specification; null if the POS does not know it. */
export function genderOf(gender: string | null): PosCustomer["gender"] {
  const name = gender?.toLowerCase();
  if (name === undefined) return null;
  return Object.hasOwn(genders, name) ? (genders[name] ?? null) : "Other";
}
