import { describeError, log } from "../platform/aws/log.ts";
import { readSecret } from "../platform/crypto/readSecret.ts";
import { PosError } from "./connector.ts";

/** What POS companies give to the service itself, beside what each business has: environment variables. */
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

/** Seconds after which a key that was changed counts. */
const maxAge = 5 * 60;

/**
 * A key of the service with a POS company: from the environment variable of its name, or the JSON object in the secret of
 * Secrets Manager that POS_PARTNER_KEYS_SECRET names. The empty text where there is none.
 *
 * @throws PosError "unreachable" when the secret cannot be read and never was; Error, which tells nothing of it, when it
 * was filled with what is no JSON
 */
export async function partnerKey(name: PartnerKey): Promise<string> {
  const own = process.env[name];
  if (own !== undefined) return own;
  const text = await secretText();
  // Nobody has filled it yet: it is made with random text.
  if (!text.startsWith("{")) return "";
  const keys: Partial<Record<PartnerKey, unknown>> = parse(text);
  return String(keys[name] ?? "");
}

let last: string | undefined;

/** What was read last does while the secret cannot be read. */
async function secretText(): Promise<string> {
  try {
    last = (await readSecret("POS_PARTNER_KEYS_SECRET", maxAge))?.trim() ?? "";
  } catch (error) {
    log.warn("partner keys cannot be read", { error: describeError(error), kept: last !== undefined });
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
