import type { ConnectablePosType } from "../enumerations.ts";
import { credentialSets } from "../pos/credentialSets.ts";
import { posTypes } from "../pos/posTypes.ts";
import { sound, wellFormedError } from "./requestFields.ts";

/** Maximum length of a text credential after trimming (docs/spec.md#patterns-and-value-lists). */
const longest = 255;

/**
 * The mismatches between credentials and the credential set of a POS type (docs/spec.md#pos-credentials), by
 * property.
 */
export function credentialIssues(
  posType: ConnectablePosType,
  credentials: Readonly<Record<string, unknown>>,
): { property: string; message: string }[] {
  const { properties, required, oneOf = [] } = credentialSets[posTypes[posType].credentialSet];
  const sent = Object.keys(credentials);
  const missing = required.filter((property) => !sent.includes(property));
  const missingChoice = oneOf.length > 0 && !oneOf.some((property) => sent.includes(property));
  return [
    ...missing.map((property) => ({ property, message: "is required" })),
    ...(missingChoice ? oneOf : []).map((property) => ({
      property,
      message: `is required, unless ${oneOf.filter((other) => other !== property).join(" or ")} is sent`,
    })),
    ...sent.flatMap((property) => {
      const type = Object.hasOwn(properties, property) ? properties[property]?.type : undefined;
      const message = type ? unfit(credentials[property], type) : `is not a credential of ${posType}`;
      return message ? [{ property, message }] : [];
    }),
  ];
}

/** Why a value is invalid for a property of this type; undefined if it is valid. */
function unfit(value: unknown, type: "string" | "number"): string | undefined {
  if (typeof value !== type) return `must be a ${type}`;
  if (typeof value !== "string") return undefined;
  const { length } = value.trim();
  if (length === 0) return "must not be empty";
  if (length > longest) return `must have at most ${longest} characters`;
  return sound(value) ? undefined : wellFormedError.error;
}
