import { spawn } from "node:child_process";
import { StageError } from "../cli/stageError.ts";
import type { StageName } from "../stages/stages.ts";

/**
 * Runs the CDK, which prints to the terminal and asks its questions there.
 *
 * @param stage becomes STAGE in the environment of the app
 */
export async function cdk(
  stage: StageName,
  region: string,
  parameters: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn("cdk", parameters, {
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, STAGE: stage, AWS_REGION: region, ...variables },
  });
  const code = await new Promise<number | null>((settle, fail) => child.once("error", fail).once("exit", settle));
  if (code !== 0) throw new StageError(`cdk ${parameters[0]} failed; see its output above.`);
}
