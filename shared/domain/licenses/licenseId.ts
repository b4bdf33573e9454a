import { createHash } from "node:crypto";
import type { RegisterLicense } from "./registerLicense.ts";

/**
 * Derives the id of a license within its register. A license with a number is identified by its authority and number. A
 * license without a number is identified by its authority, holder, type and city.
 *
 * @returns 22 characters
 */
export function licenseId(content: RegisterLicense["content"]): string {
  const { license_identifier: number, licensing_authority_name: authority } = content;
  const parts =
    number === null
      ? [authority, "", content.licensee, content.reported_license_type_description, content.locality]
      : [authority, number];
  const text = JSON.stringify(parts.map((part) => part?.toLowerCase()));
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
