import type { Deprecation } from "../api/operation.ts";

/**
 * The headers of each response of a deprecated operation: `Deprecation` (RFC 9745) with the beginning of the day, and `Sunset`
 * (RFC 8594) with the end of the day.
 */
export const deprecationHeaders = ({ since, sunset }: Deprecation): Record<string, string> => ({
  Deprecation: `@${Date.parse(since) / 1_000}`,
  ...(sunset && { Sunset: new Date(`${sunset}T23:59:59Z`).toUTCString() }),
});
