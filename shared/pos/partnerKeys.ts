import { describeError, log } from "../platform/aws/log.ts";
import { readSecret } from "../platform/crypto/readSecret.ts";
import { PosError } from "./connector.ts";

/**
 * Environment variables of the keys that POS companies issue to the service itself, in addition to each business's credentials.
 */
export const partnerKeys = [
  "POS_BLAZE_PARTNER_KEY",
  "POS_DUTCHIE_INTEGRATOR_KEY",
  "POS_INTACCT_SENDER_ID",
  "POS_INTACCT_SENDER_PASSWORD",
  "POS_MEADOW_CONSUMER_KEY",
  "POS_POSABIT_INTEGRATOR_TOKEN",
  "POS_TREEZ_CLIENT_ID",
  "POS_TREEZ_CERTIFICATE_ID",
  "POS_TREEZ_PRIVATE_KEY",
] as const;
export type PartnerKey = (typeof partnerKeys)[number];

/** Seconds until a changed key takes effect. */
const maxAge = 5 * 60;

/**
 * A key of the service with a POS company. It comes from the environment variable of its name, or from the JSON object in the
 * Secrets Manager secret that POS_PARTNER_KEYS_SECRET names. Empty if missing.
 *
 * @throws PosError "unreachable" if the secret cannot be read and never was; Error, without its content, if it is not JSON
 */
export async function partnerKey(name: PartnerKey): Promise<string> {
  const own = process.env[name];
  if (own !== undefined) return own;
  const text = await secretText();
  // The operator has not filled the secret yet: it is created with random text.
  if (!text.startsWith("{")) return "";
  const keys: Partial<Record<PartnerKey, unknown>> = parse(text);
  return String(keys[name] ?? "");
}

let last: string | undefined;

/** Returns the last value while the secret cannot be read. */
async function secretText(): Promise<string> {
  try {
    last = (await readSecret("POS_PARTNER_KEYS_SECRET", maxAge))?.trim() ?? "";
  } catch (error) {
    log.warn("partner keys not read", { error: describeError(error), kept: last !== undefined });
    if (last === undefined) throw new PosError("unreachable", { code: "partner_keys" });
  }
  return last;
}

function parse(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The secret ${process.env.POS_PARTNER_KEYS_SECRET} must hold a JSON object`);
  }
}
