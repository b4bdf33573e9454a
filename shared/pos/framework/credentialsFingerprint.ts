import { createHash } from "node:crypto";
import type { Connection } from "../connector.ts";

/** A hash of credentials, for cache keys: it distinguishes credentials without revealing them. */
export function credentialsFingerprint({ credentials }: Pick<Connection, "credentials">): string {
  return createHash("sha256").update(JSON.stringify(credentials)).digest("hex");
}
