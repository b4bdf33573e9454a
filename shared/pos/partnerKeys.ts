import { readSecret } from "../privacy/secret.ts";

/** What POS companies give to the service itself, beside what each business has. */
export type PartnerKey = "POS_DUTCHIE_INTEGRATOR_KEY" | "POS_TREEZ_CLIENT_ID";

/** Seconds after which a key that was changed counts. */
const maxAge = 5 * 60;

/**
 * A key of the service with a POS company: from the environment variable of its name, or the JSON object in the secret of
 * Secrets Manager that POS_PARTNER_KEYS_SECRET names. The empty text where there is none.
 *
 * @throws Error, which tells nothing of it, when the secret was filled with what is no JSON
 */
export async function partnerKey(name: PartnerKey): Promise<string> {
  const own = process.env[name];
  if (own !== undefined) return own;
  const text = (await readSecret("POS_PARTNER_KEYS_SECRET", maxAge))?.trim() ?? "";
  // Nobody has filled it yet: it is made with random text.
  if (!text.startsWith("{")) return "";
  const keys: Partial<Record<PartnerKey, unknown>> = parse(text);
  return String(keys[name] ?? "");
}

function parse(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The secret ${process.env.POS_PARTNER_KEYS_SECRET} must hold a JSON object`);
  }
}
