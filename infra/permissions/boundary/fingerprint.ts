import { createHash } from "node:crypto";
import type { StageName } from "../../stages/stages.ts";
import { boundaryStatements } from "./boundary.ts";
import { isRestorable, restoreStatements } from "./restoreRole.ts";

/** The output of the boundary's stack by which `npm run deploy` checks that the account has the stack of its release. */
export const fingerprintOutput = "Fingerprint";

/** A digest of a stage's boundary and restore role, the same in every account and region. */
export function boundaryFingerprint(stage: StageName): string {
  const anywhere = { PARTITION: "", ACCOUNT_ID: "", REGION: "" };
  const permissions = [
    boundaryStatements(anywhere, stage),
    ...(isRestorable(stage) ? [restoreStatements(anywhere, stage)] : []),
  ];
  return createHash("sha256").update(JSON.stringify(permissions)).digest("hex").slice(0, 16);
}
