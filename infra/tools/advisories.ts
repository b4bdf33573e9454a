import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { newProgram, runCommander } from "../cli/program.ts";
import { runProgram, type Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { write } from "../cli/terminalOutput.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Severities that fail the check. */
const severe: readonly string[] = ["high", "critical"];

const advisory = z.object({
  name: z.string(),
  severity: z.string(),
  title: z.string(),
  url: z.string(),
  range: z.string(),
});

/** The report of `npm audit --json`. A text in `via` names another package of the report that affects this one. */
const auditReport = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisory])) })),
});

const auditFailure = z.object({ message: z.string() });

/**
 * Checks the versions of package-lock.json against the advisory database of npm's registry.
 *
 * @throws StageError for a known advisory of high or critical severity. Also if the registry has no database or cannot be
 *   reached, unless `--allow-unchecked` accepts that: some networks have none.
 */
export async function checkAdvisories(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram(
    "npm run advisories --",
    "Checks the packages of package-lock.json for known vulnerabilities.",
  )
    .option("--allow-unchecked", "succeeds if the registry has no advisory database or cannot be reached")
    .action(({ allowUnchecked = false }) => reportAdvisories(stdout, allowUnchecked));
  await runCommander(program, parameters, { stdout });
}

/** @throws StageError */
async function reportAdvisories(stdout: Terminal["stdout"], allowUnchecked: boolean): Promise<void> {
  const output = await runAudit();
  const { data: report } = auditReport.safeParse(output);
  if (!report) {
    const reason = auditFailure.safeParse(output).data?.message ?? "npm audit returned no report";
    const unchecked = `Could not check the advisories: ${reason.split("\n")[0]}`;
    if (!allowUnchecked) {
      throw new StageError(`${unchecked}. Use a registry with an advisory database, or add --allow-unchecked.`);
    }
    write(stdout, unchecked);
    return;
  }
  const found = Object.values(report.vulnerabilities).flatMap(({ via }) =>
    via.filter((each) => typeof each === "object"),
  );
  for (const { name, severity, title, url, range } of found) {
    write(stdout, `${severity}: ${name} ${range}: ${title} ${url}`);
  }
  const { length } = found.filter(({ severity }) => severe.includes(severity));
  if (length > 0) {
    throw new StageError(
      `${length} ${length === 1 ? "advisory" : "advisories"} of high or critical severity: update the package, ` +
        'or the package that depends on it. If neither is possible, use "overrides" in package.json.',
    );
  }
  write(stdout, "No locked package has a known advisory of high or critical severity.");
}

/** The JSON output of `npm audit`; undefined for other output. Its exit code is 1 for advisories and failures alike. */
async function runAudit(): Promise<unknown> {
  // Only one retry, since npm waits up to a minute before each retry.
  const npm = spawn(
    "npm",
    ["audit", "--json", "--package-lock-only", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"],
    { cwd: root, shell: process.platform === "win32", stdio: ["ignore", "pipe", "ignore"] },
  );
  try {
    return JSON.parse(await text(npm.stdout));
  } catch {
    return undefined;
  }
}

if (import.meta.main) process.exitCode = await runProgram(checkAdvisories, process.argv.slice(2), process);
