import { readSecret } from "../privacy/secret.ts";

/** What POS companies give to the service itself, beside what each business has. */
type PartnerKey = "POS_DUTCHIE_INTEGRATOR_KEY" | "POS_TREEZ_CLIENT_ID";

// On AWS read while the function is being loaded, as the service key is.
const keys = parse(await readSecret("POS_PARTNER_KEYS_SECRET"));

/**
 * A key of the service with a POS company: from the environment variable of its name, or the JSON object in the secret of
 * Secrets Manager that POS_PARTNER_KEYS_SECRET names. The empty text where there is none.
 */
export function partnerKey(name: PartnerKey): string {
  return process.env[name] ?? keys[name] ?? "";
}

/** A secret that nobody has filled yet holds any text. */
function parse(text = "{}"): Partial<Record<PartnerKey, string>> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
