import { spawnSync } from "node:child_process";
import { delimiter, resolve } from "node:path";
import { generatePythonClient } from "../../infra/codegen/pythonClient.ts";
import { type PythonPackages, pythonPackages } from "../pythonPackages.ts";

const hasPython = (): boolean =>
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).status === 0;

/**
 * Generates the client in Python, and installs its packages once for a whole run.
 * @returns the directories for `PYTHONPATH`, or the reason why they are missing, which is also printed
 */
export async function pythonClient(): Promise<PythonPackages> {
  if (!hasPython()) {
    const missing = "Skipped: the client in Python, which needs Python 3.11";
    console.log(missing);
    return { missing };
  }
  await generatePythonClient();
  const { directory, missing } = await pythonPackages("clients/requirements.txt", "the client in Python");
  if (missing !== undefined) return { missing };
  return { directory: [directory, resolve("clients/python")].join(delimiter) };
}
