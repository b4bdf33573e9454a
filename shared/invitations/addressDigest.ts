import { keyedDigest } from "../privacy/serviceKey.ts";

/** What an address of electronic mail is known by where only comparing counts, whatever its letter case. */
export const addressDigest = (email: string): string =>
  keyedDigest("invited addresses", email.trim().toLowerCase()).toString("base64url");
