import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Copies the project with its installed packages to a place where tests may change it. Then makes the operator's
 * changes before the first deployment (docs/operations/first-deployment.md), as far as the emulator's account accepts them.
 */
export function copyProject(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { maxBuffer: 16 * 1024 * 1024 });
  const archive = execFileSync("tar", ["-c", "--ignore-failed-read", "--null", "-T", "-"], {
    input: listed,
    maxBuffer: 512 * 1024 * 1024,
    stdio: ["pipe", "pipe", "ignore"],
  });
  execFileSync("tar", ["-x", "-C", directory], { input: archive });
  symlinkSync(join(process.cwd(), "node_modules"), join(directory, "node_modules"));
  change(join(directory, "infra/stages/stages.ts"), [
    // Addresses other than placeholders.
    [/example\.com/g, "example.org"],
    [/(\n {2}sandbox: [\s\S]*?)(customerManagedKey)/, "$1makesMailIdentity: true,\n      $2"],
  ]);
  // Replaces unsupported features in the templates before they are deployed.
  const synthesized = "createApp(name, bundles, env, { outdir: directory }, how).synth()";
  change(join(directory, "infra/deploy/synthesize.ts"), [
    [/^/, 'import { usePlaceholders } from "../../test/system/emulated/placeholders.ts";\n'],
    [
      `${synthesized};`,
      `{ const made = ${synthesized}; usePlaceholders(directory, String(Date.now())); return made; };`,
    ],
  ]);
}

/** Adds a stage as the runbook says: copies the entry of `sandbox` under a new name. */
export function addStage(directory: string, name: string): void {
  const path = join(directory, "infra/stages/stages.ts");
  const [, entry = ""] = /\n( {2}sandbox: \{[\s\S]*?\n {2}\},\n)/.exec(readFileSync(path, "utf8")) ?? [];
  change(path, [
    ["  prod: {", `${entry.replaceAll("sandbox.app", `${name}.app`).replace("sandbox:", `${name}:`)}  prod: {`],
  ]);
}

/** @throws Error if a text to be changed is missing */
function change(path: string, changes: readonly (readonly [RegExp | string, string])[]): void {
  let text = readFileSync(path, "utf8");
  for (const [from, to] of changes) {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${path} has no ${from}`);
    text = changed;
  }
  writeFileSync(path, text);
}
