import type * as z from "zod";

/**
 * The message for one invalid input. The text continues a sentence that starts with the input's name. If undefined,
 * Zod's own message is used.
 */
export function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      return `must be ${article(issue.expected === "int" ? "integer" : issue.expected)}`;
    case "invalid_value":
      if (issue.input === undefined) return "is required";
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      if (issue.origin === "array") return `must have at least ${countOf(issue.minimum, "entry", "entries")}`;
      return issue.origin === "string" ? "must not be empty" : `must be at least ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "array") return `must have at most ${countOf(issue.maximum, "entry", "entries")}`;
      return issue.origin === "string"
        ? `must have at most ${countOf(issue.maximum, "character")}`
        : `must be at most ${issue.maximum}`;
    case "invalid_format":
      return issue.format === "datetime" ? "must be a time such as 2026-03-01T17:05:09.000Z" : undefined;
    default:
      return undefined;
  }
}

/** The message for an invalid parameter of a query or a form. A repeated parameter arrives as an array. */
export const parameterMessageOf = (issue: z.core.$ZodRawIssue): string | undefined =>
  Array.isArray(issue.input) ? "must be sent only once" : messageOf(issue);

const countOf = (count: number | bigint, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);
