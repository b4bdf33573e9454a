/** Names whose value, and all that is below it, is a secret wherever it is sent, in any spelling (contract 3). */
const secretName = /secret|password|credential|api[-_ ]?key|base64/i;

/** A text in which such a name has a value: JSON or a form inside a text, or a document as a data address. */
const secretInText = new RegExp(String.raw`(?:${secretName.source})s?[\\"'\s]*[:=]|base64,`, "i");

/** An API key or access token of ours, also one that is cut short or lengthened. */
const ownSecret = /(?<![A-Za-z0-9])(sk|at)_[A-Za-z0-9_-]{20,}/;

/** Deeper than any request is; what stands below is told to nobody. */
const deepest = 32;

/** Whether what has this name must never be echoed, in whichever request it stands. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** Whether a received value is, or holds at any depth, what must never be echoed; also one that is too deep to tell. */
export function holdsSecret(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return ownSecret.test(value) || secretInText.test(value);
  if (typeof value !== "object" || value === null) return false;
  if (depth === deepest) return true;
  if (Array.isArray(value)) return value.some((entry) => holdsSecret(entry, depth + 1));
  return Object.entries(value).some(
    ([name, inner]) => isSecretName(name) || ownSecret.test(name) || holdsSecret(inner, depth + 1),
  );
}

/** A received name as an error tells it: without what looks like a secret of ours. */
export const nameWithoutSecret = (name: string): string => name.replace(new RegExp(ownSecret, "g"), "$1_…");
