import { closest, distance } from "fastest-levenshtein";

/** Longer names get no suggestion, since comparing them takes time. */
const maxLength = 40;

/**
 * The message for a query parameter that an operation does not have. It suggests the closest known name if at most a
 * third of the characters differ.
 */
export function describeUnknownParameter(name: string, known: readonly string[]): string {
  const message = "is not a parameter of this operation";
  if (known.length === 0 || name.length > maxLength) return message;
  const spelled = name.toLowerCase().replaceAll("-", "_");
  const nearest = closest(spelled, known);
  return distance(spelled, nearest) * 3 <= nearest.length ? `${message}; did you mean ${nearest}?` : message;
}
