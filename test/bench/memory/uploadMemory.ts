import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import project from "../../../package.json" with { type: "json" };
import type { RecordKind } from "../../../shared/api/kinds.ts";
import type { Connection } from "../../../shared/pos/connector.ts";

/** Node's options for the operator's program. */
const nodeOptions = project.scripts.operator.split(" ").filter((word) => word.startsWith("--"));

/**
 * Uploads a file in a separate process, which runs like the operator's program.
 * @param parameters.expected some of the counts that the upload ends with; other counts are an error
 * @param environment variables in addition to those of this process
 * @returns the peak of its resident memory in bytes, from start to end
 */
export async function uploadMemoryOf(
  parameters: { connection: Connection; kind: RecordKind; file: string; expected: object },
  environment: NodeJS.ProcessEnv = {},
): Promise<number> {
  const worker = fileURLToPath(new URL("uploadWorker.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeOptions, worker, JSON.stringify(parameters)], {
    env: { ...process.env, ...environment, POWERTOOLS_LOG_LEVEL: "SILENT" },
  });
  return JSON.parse(stdout).peak;
}
