import { hasSecret, isMisplacedSecretName } from "./secrecy.ts";

const maxEchoCharacters = 200;

/**
 * A received value as an error shows it (docs/spec.md#values-in-errors): a text cut to 200 characters; any other value
 * unchanged if its JSON text has at most 200 characters, otherwise the first 200 characters of the JSON text. Empty for
 * a missing value, or a value that may hold a secret.
 */
export function echo(value: unknown): { value?: unknown } {
  if (value === undefined || hasSecret(value, isMisplacedSecretName)) return {};
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { value: text.length <= maxEchoCharacters ? value : truncateText(text) };
}

/** Cuts a text without leaving half of a surrogate pair at its end. */
export const truncateText = (text: string): string => text.slice(0, maxEchoCharacters).replace(/[\uD800-\uDBFF]$/, "");
