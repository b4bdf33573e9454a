// Shared by install.mjs and the checks before other scripts. Plain JavaScript: it runs on the machine's own Node 20.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const modules = join(root, "node_modules");
export const isWindows = process.platform === "win32";
const node24 = isWindows ? join(modules, "node", "bin", "node.exe") : join(modules, ".bin", "node");

/**
 * Lists the package folders that an interrupted installation may have left incomplete. npm would treat these folders as
 * complete.
 */
export const underWayFile = join(modules, ".under-way.json");

const nodeIsMissing =
  "Node 24 is missing: the package `node` brings it, where it has one for the platform and npm runs its install script. " +
  "Run: npm rebuild node --ignore-scripts=false. Or install Node 24 or newer.";

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Prints the line and ends the process with 1. */
export function fail(line) {
  console.error(line);
  process.exit(1);
}

const isIn = (folders, name) => folders.some((folder) => name === folder || name.startsWith(`${folder}/`));

/**
 * Compares the installed packages with package-lock.json. npm lists what it has installed in node_modules/.package-lock.json.
 *
 * @param forStart whether `dependencies` are enough
 * @param needsNode whether the package `node`, which is optional, must be there
 */
export function comparePackages({ forStart, needsNode }) {
  const locked = readJson(join(root, "package-lock.json"))?.packages ?? {};
  const halfMade = (readJson(underWayFile) ?? []).filter((name) => /^node_modules\/(?!.*\.\.)/.test(name));
  const recorded = Object.entries(readJson(join(modules, ".package-lock.json"))?.packages ?? {});
  // The list may be newer than the folders: a folder was deleted, or node_modules was copied with hard links.
  const isPresent = (name) => !isIn(halfMade, name) && (name === "" || existsSync(join(root, name)));
  const present = Object.fromEntries(recorded.filter(([name]) => isPresent(name)));
  // Times are not compared: `git checkout` changes them. npm does not list optional packages of other platforms.
  const isMissing = (name) => {
    const { version, integrity, optional } = locked[name];
    const installed = present[name];
    if (!installed) return !optional || (needsNode && name === "node_modules/node");
    // `executables.json` names the packages without a locked hash.
    return installed.version !== version || (integrity !== undefined && installed.integrity !== integrity);
  };
  const namesOf = (packages, all = !forStart) =>
    Object.keys(packages).filter((name) => name && (all || !packages[name].dev));
  const missing = namesOf(locked).filter(isMissing);
  const unneeded = namesOf(present).filter((name) => !locked[name]);
  // If the packages for tests are already installed, the installation includes them: otherwise npm would remove them.
  const all = !forStart || recorded.some(([, { dev }]) => dev);
  return {
    isInstalled: missing.length + unneeded.length === 0 && namesOf(present).length > 0,
    missing,
    all,
    halfMade,
    // Includes all missing optional packages, since npm may install those that fit this machine.
    changing: [...namesOf(locked, all).filter((name) => !present[name] || isMissing(name)), ...unneeded],
  };
}

/** The Node in node_modules; without one, the machine's Node. */
export const nodeProgram = () => (existsSync(node24) ? node24 : "node");

/** Whether a Node is version 24 or newer. */
export function isNode24(program) {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return Number.parseInt(stdout?.slice(1), 10) >= 24;
}

const hasNode24 = () => isNode24(nodeProgram());

/** Whether the package `node` is needed and missing. */
export const lacksNode = () => !existsSync(node24) && !hasNode24();

/** Ends the process unless programs run on Node 24 or newer. */
export function requireNode24() {
  if (!hasNode24()) fail(nodeIsMissing);
}

/**
 * Ends the process if an executable differs from the reviewed one. If no hash is known for this platform, prints a
 * warning once for each executable.
 */
export function verifyExecutables() {
  const reviewed = readJson(fileURLToPath(new URL("executables.json", import.meta.url)));
  if (!reviewed) fail("infra/local/executables.json is missing or not JSON: restore it from version control.");
  const stampFile = join(modules, ".verified.json");
  const stamps = readJson(stampFile) ?? {};
  const platform = `${process.platform}-${process.arch}`;
  const suffix = isWindows ? ".exe" : "";
  const executables = { node: `node/bin/node${suffix}`, "@dynoxide": `@dynoxide/${platform}/dynoxide${suffix}` };
  for (const [name, { version, sha256 }] of Object.entries(reviewed)) {
    const file = join(modules, executables[name]);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) continue;
    const expected = sha256[platform];
    const stamp = [stat.size, stat.mtimeMs, expected ?? "unknown"].join(" ");
    if (stamps[name] === stamp) continue;
    const actual = createHash("sha256").update(readFileSync(file)).digest("hex");
    if (expected !== undefined && actual !== expected) {
      fail(
        `${file} has the SHA-256 ${actual}, not that of ${name} ${version} in infra/local/executables.json. It was not run. ` +
          'Delete node_modules and try again; if the hash stays, see "Packages and executables" in CONTRIBUTING.md.',
      );
    }
    if (expected === undefined) {
      console.error(
        `${file} is not verified: no hash of ${name} ${version} for ${platform} is known. Its SHA-256 is ${actual}. ` +
          '"Packages and executables" in CONTRIBUTING.md says how to check it.',
      );
    }
    stamps[name] = stamp;
    writeFileSync(stampFile, JSON.stringify(stamps));
  }
}

/**
 * Ends the process, with one line, if packages are missing or outdated. Threads of a process that has passed the check
 * preload this module again, and skip the check.
 *
 * @param forStart whether `dependencies` are enough
 */
export function requirePackages({ forStart }) {
  if (!isMainThread) return;
  if (!comparePackages({ forStart, needsNode: false }).isInstalled) {
    fail("Packages are missing, or are not those of package-lock.json. Run: npm ci");
  }
  verifyExecutables();
  if (Number.parseInt(process.versions.node, 10) < 24) fail(nodeIsMissing);
}
