import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { makeDirectoryOnce } from "./makeDirectoryOnce.ts";

/** The directory of the packages in a requirements file, or why they are missing. */
export type PythonPackages = { directory: string; missing?: never } | { directory?: never; missing: string };

/**
 * Installs the packages once for a whole run, into a directory of their own; reports if that is impossible.
 *
 * @param requirements the requirements file, relative to this folder
 * @param what the subject that needs them
 */
export async function pythonPackages(
  requirements = "requirements.txt",
  what = "what needs Python's requests-oauthlib",
): Promise<PythonPackages> {
  const directory = join(inject("temporaryDirectory"), `python-${dirname(requirements).replaceAll("/", "-")}`);
  const reason = join(directory, "missing.txt");
  await makeDirectoryOnce(directory, async (unfinished) => {
    mkdirSync(unfinished);
    const failure = await install(unfinished, requirements);
    if (failure !== undefined) writeFileSync(join(unfinished, "missing.txt"), failure);
  });
  if (!existsSync(reason)) return { directory };
  const missing = `Skipped: ${what}, which cannot be installed here: ${readFileSync(reason, "utf8")}`;
  console.log(missing);
  return { missing };
}

async function install(target: string, file: string): Promise<string | undefined> {
  const requirements = join(import.meta.dirname, file);
  const retryOptions = ["--timeout", "10", "--retries", "1"];
  try {
    await promisify(execFile)(
      "python3",
      ["-m", "pip", "install", "--quiet", ...retryOptions, "--target", target, "--requirement", requirements],
      { timeout: 240_000 },
    );
    return undefined;
  } catch (error) {
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
    return stderr.trim().split("\n").at(-1) || `python3 -m pip ended with ${code}`;
  }
}
