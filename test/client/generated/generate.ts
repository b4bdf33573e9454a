import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { makeDirectoryOnce } from "../../makeDirectoryOnce.ts";

const version = "7.25.0";
const artifact = `org.openapitools:openapi-generator-cli:${version}`;
/**
 * By default the generator treats open schemas as closed, against JSON Schema, and its clients would reject new fields. Its
 * constants in Go collide when two enumerations share a value, unless they begin with the name of the enumeration.
 */
const options = "disallowAdditionalPropertiesIfNotPresent=false,enumClassPrefix=true";

/** @throws an error with the program's output, its end first */
export async function run(
  program: string,
  parameters: readonly string[],
  options: { cwd?: string; env?: object } = {},
) {
  const env = { ...process.env, ...options.env };
  try {
    return await promisify(execFile)(program, parameters, { ...options, env, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { message, stdout = "", stderr = "" } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([stderr.slice(-4000), stdout.slice(-4000), message.slice(0, 400)].join("\n"), { cause: error });
  }
}

/**
 * Fetches OpenAPI Generator from Maven Central, once per run.
 * @returns its jar, or the reason why it is not available here, which is also printed
 */
async function generator(): Promise<{ jar: string; missing?: never } | { jar?: never; missing: string }> {
  const directory = join(inject("temporaryDirectory"), "openapi-generator");
  await makeDirectoryOnce(directory, async (unfinished) => {
    mkdirSync(unfinished);
    try {
      await run("javac", ["-version"]);
      const to = `-DoutputDirectory=${unfinished}`;
      await run("mvn", ["--quiet", "--batch-mode", "dependency:copy", `-Dartifact=${artifact}`, to]);
    } catch (error) {
      writeFileSync(join(unfinished, "missing.txt"), (error as Error).message.trim());
    }
  });
  const reason = join(directory, "missing.txt");
  if (!existsSync(reason)) return { jar: join(directory, `openapi-generator-cli-${version}.jar`) };
  const missing = `Skipped: generated clients, which need a JDK and Maven: ${readFileSync(reason, "utf8")}`;
  console.log(missing);
  return { missing };
}

/**
 * Makes a client with OpenAPI Generator, as a guide describes. Without the selection of parts the generator also writes an API for
 * `webhooks`, which replaces the API of the same tag and does not compile.
 * @param language the name of a generator, such as `java`
 * @returns the folder of the client, or the reason why none can be made here
 */
export async function generate(
  language: string,
  description: unknown,
): Promise<{ client: string; missing?: never } | { client?: never; missing: string }> {
  const { jar, missing } = await generator();
  if (missing !== undefined) return { missing };
  const folder = mkdtempSync(join(inject("temporaryDirectory"), `generated-${language}-`));
  const [file, client] = [join(folder, "openapi.json"), join(folder, "client")];
  writeFileSync(file, JSON.stringify(description));
  const where = ["-i", file, "-o", client];
  const parts = ["--global-property", "apis,models,supportingFiles"];
  await run("java", ["-jar", jar, "generate", "-g", language, ...where, ...parts, "--additional-properties", options]);
  return { client };
}
