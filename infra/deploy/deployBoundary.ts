import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StageName } from "../stages/stages.ts";
import { cdk } from "./runCdk.ts";

/** Makes or updates the permissions boundary of a stage in a region. @throws StageError if the CDK's program fails */
export async function deployBoundary(stage: StageName, region: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "business-data-boundary-"));
  try {
    const app = ["--app", "node infra/permissions/boundary/app.ts", "--output", directory];
    // A boundary alone allows nothing, so there is nothing to approve.
    await cdk(stage, region, ["deploy", "--all", ...app, "--require-approval", "never"]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
