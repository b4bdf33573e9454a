import { holdsSecret, isMisplacedSecretName } from "./secrecy.ts";

const longest = 200;

/**
 * A received value as an error shows it (docs/spec.md#values-in-errors): a text cut to 200 characters; any other value as it is, or as the
 * first 200 characters of its JSON text. Nothing for a value that was absent, or that may hold a secret.
 */
export function echo(value: unknown): { value?: unknown } {
  if (value === undefined || holdsSecret(value, isMisplacedSecretName)) return {};
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { value: text.length <= longest ? value : cut(text) };
}

/** Cuts a text without leaving half of a surrogate pair at its end. */
export const cut = (text: string): string => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
