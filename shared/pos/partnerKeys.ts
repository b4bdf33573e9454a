import type { MetrcState } from "../api/enumerations.ts";
import { describeError, log } from "../platform/aws/log.ts";
import { readSecret } from "../platform/crypto/readSecret.ts";
import { PosError } from "./connector.ts";

/** The variables with the keys that POS companies issue to the service, in addition to each business's credentials. */
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

/** The property of the key that Metrc issued to the service for a state. */
const metrcKeyOf = (state: MetrcState) => `METRC_VENDOR_KEY_${state}` as const;

/** The key that Metrc issued to the service for a state; empty if there is none. Fails like `partnerKey`. */
export const metrcVendorKey = (state: MetrcState): Promise<string> => partnerKey(metrcKeyOf(state));

/** Seconds until a changed key takes effect. */
const maxAge = 5 * 60;

/**
 * Returns a partner key; empty if it is missing. Its source is the environment variable `name`. If this variable is not
 * set, the source is the property `name` of the JSON object in the Secrets Manager secret that POS_PARTNER_KEYS_SECRET
 * names.
 *
 * @throws PosError "unreachable" if the secret cannot be read and this process has no earlier value; Error, without the
 * secret's content, if the secret is not JSON
 */
export async function partnerKey(name: PartnerKey | ReturnType<typeof metrcKeyOf>): Promise<string> {
  const own = process.env[name];
  if (own !== undefined) return own;
  const text = await secretText();
  // The secret still has the random text with which it was created: the operator has not stored the keys yet.
  if (!text.startsWith("{")) return "";
  const keys: Partial<Record<typeof name, unknown>> = parse(text);
  return String(keys[name] ?? "");
}

let last: string | undefined;

/** Returns the text of the secret. If the secret cannot be read, returns the text that was read last. */
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
