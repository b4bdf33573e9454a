/** In names whose value, and all that is below it, is a secret wherever it is sent, in any spelling (docs/spec.md#values-in-errors). */
const secretWords =
  "secret|passw|pass(?:phrase|code)|(?<![a-z])(?:pwd|pass|pin)(?![a-z])|credential|token|authori[sz]ation|bearer|base64|(?<!idempotency-)key";

/**
 * In names that belong to the credentials of a POS as well, such as `username` or `server_ip`. Only what the request has
 * no such field for is taken for one. A test holds both rules against every property of every credential set.
 */
const accountWords = "user|server|database|client|company|office|dispensary|organi[sz]ation|license";

const secretName = new RegExp(secretWords, "i");
const accountName = new RegExp(`${accountWords}|^(?:port|state)$`, "i");

/**
 * A text in which such a name has a value: JSON or a form inside a text, the header's value of a credential, or a document
 * as a data address.
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

/** An API key, access token, invitation token or webhook secret of ours, also one that is cut short or lengthened. */
const ownSecret = /(?<![A-Za-z0-9])(sk|at|iv|whsec)_[A-Za-z0-9_+/=-]{20,}/g;

/** Deeper than any request is; what stands below is told to nobody. */
const deepest = 32;

/** Whether what has this name must never be echoed, in whichever request it stands. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** The same, where the request has no field of this name. */
export const isMisplacedSecretName = (name: string): boolean => isSecretName(name) || accountName.test(name);

/**
 * Whether a received value is, or holds at any depth, what must never be echoed; also one that is too deep to tell.
 *
 * @param isSecret tells by the name inside a value
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

/** A received name as an error tells it: without what looks like a secret of ours. */
export function nameWithoutSecret(name: string): string {
  const plain = decoded(name);
  return plain.search(ownSecret) < 0 ? name : plain.replace(ownSecret, "$1_…");
}

function isSecretText(text: string): boolean {
  const plain = decoded(text);
  return plain.search(ownSecret) >= 0 || secretInText.test(plain);
}

/** A text without percent-encoding, which may have been applied more than once; its ASCII characters are what counts. */
function decoded(text: string): string {
  let plain = text;
  for (let times = 0; times < 4 && plain.includes("%"); times++) {
    plain = plain.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return plain;
}
