import { createHash } from "node:crypto";
import type { License } from "../../api/schemas/license.ts";

/** The values that identify a license within its register. */
type LicenseIdentity = Pick<License, "license_identifier" | "licensing_authority_name"> &
  Partial<Pick<License, "licensee" | "reported_license_type_description" | "locality">>;

/**
 * Derives the id of a license within its register. A license with a number is identified by its authority and number. A
 * license without a number is identified by its authority, holder, type and city.
 *
 * @returns 22 characters
 */
export function licenseId(content: LicenseIdentity): string {
  const { license_identifier: number, licensing_authority_name: authority } = content;
  const parts =
    number === null
      ? [authority, "", content.licensee, content.reported_license_type_description, content.locality]
      : [authority, number];
  const text = JSON.stringify(parts.map((part) => part?.toLowerCase()));
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/**
 * The id by which callers name a license. It begins with the register, because authorities of two states can have the
 * same name and the same numbers.
 *
 * @param state the register: a state, CAN or NLA
 * @param id the result of `licenseId`
 */
export const publicLicenseId = (state: string, id: string): string => `${state}-${id}`;
