import { createHash } from "node:crypto";
import type { Connection } from "../connector.ts";

/** What tells credentials from others without telling them: for keys of what is kept in memory. */
export function credentialsFingerprint({ credentials }: Pick<Connection, "credentials">): string {
  return createHash("sha256").update(JSON.stringify(credentials)).digest("hex");
}
