/**
 * Parts of names whose values, with everything inside them, are secret in any request and any spelling
 * (docs/spec.md#values-in-errors).
 */
const secretWords =
  "secret|passw|pass(?:phrase|code)|(?<![a-z])(?:pwd|pass|pin)(?![a-z])|credential|token|authori[sz]ation|bearer|base64|(?<!idempotency-)key";

/**
 * Parts of names that also occur in POS credentials, such as `username` or `server_ip`. Such a name is secret only
 * where the request has no field of that name. A test checks both rules against every property of every credential
 * set.
 */
const accountWords = "user|server|database|client|company|office|dispensary|organi[sz]ation|license";

const secretName = new RegExp(secretWords, "i");
const accountName = new RegExp(`${accountWords}|^(?:port|state)$`, "i");

/**
 * Matches a text that contains a secret: a secret name with a value in JSON or a form, a credential from a header, or
 * a document as a data URL.
 */
const secretInText = new RegExp(
  [
    String.raw`(?:${secretWords})[\w-]{0,40}[\\"'\s]*[:=]`,
    String.raw`[\\"'](?:[\w-]{0,40}(?:${accountWords})[\w-]{0,40}|port|state)\\*["']\s*:`,
    String.raw`(?:bearer|basic)\s+\S{16}`,
    "base64,",
  ].join("|"),
  "i",
);

/**
 * Matches an API key, access token, invitation token or webhook secret of this service, even if cut short or
 * lengthened.
 */
const ownSecret = /(?<![A-Za-z0-9])(sk|at|iv|whsec)_[A-Za-z0-9_+/=-]{20,}/g;

/** A depth that no valid request reaches. Values at a greater depth are never echoed. */
const deepest = 32;

/** Whether values with this name must never be echoed, in any request. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** Whether values with this name must never be echoed in a request that has no field of this name. */
export const isMisplacedSecretName = (name: string): boolean => isSecretName(name) || accountName.test(name);

/**
 * Whether a received value is a secret, holds one at any depth, or is too deep to check.
 *
 * @param isSecret decides by the name of a field inside the value
 */
export function hasSecret(value: unknown, isSecret = isSecretName, depth = 0): boolean {
  if (typeof value === "string") return isSecretText(value);
  if (typeof value !== "object" || value === null) return false;
  if (depth === deepest) return true;
  if (Array.isArray(value)) return value.some((entry) => hasSecret(entry, isSecret, depth + 1));
  return Object.entries(value).some(
    ([name, inner]) => isSecret(name) || isSecretText(name) || hasSecret(inner, isSecret, depth + 1),
  );
}

/** A received name as an error shows it: without text that looks like a secret of this service. */
export function nameWithoutSecret(name: string): string {
  const plain = decoded(name);
  return plain.search(ownSecret) < 0 ? name : plain.replace(ownSecret, "$1_…");
}

function isSecretText(text: string): boolean {
  const plain = decoded(text);
  return plain.search(ownSecret) >= 0 || secretInText.test(plain);
}

/** Removes percent-encoding, even if applied more than once. Only ASCII characters matter. */
function decoded(text: string): string {
  let plain = text;
  for (let times = 0; times < 4 && plain.includes("%"); times++) {
    plain = plain.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return plain;
}
