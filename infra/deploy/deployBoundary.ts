import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StageName } from "../stages/stages.ts";
import { cdk } from "./runCdk.ts";

/** Creates or updates a stage's permissions boundary and restore role in a region. @throws StageError when the CDK fails */
export async function deployBoundary(stage: StageName, region: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "business-data-boundary-"));
  try {
    const app = ["--app", "node infra/permissions/boundary/app.ts", "--output", directory];
    // Only people with MFA get permissions by this stack, and they need a permission to assume the role. So the
    // deployment needs no approval.
    await cdk(stage, region, ["deploy", "--all", ...app, "--require-approval", "never"]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
