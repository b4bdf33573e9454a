// Runs before the programs of package.json, on whatever Node the machine has, so plain JavaScript: installs the packages
// when they are missing or others than package-lock.json names, and sees that Node 24 is there. With the argument
// `start` it is content with what starting needs, the `dependencies` of package.json: a fifth of the packages. Verifies the
// executables whose packages package-lock.json cannot vouch for. Takes a few milliseconds when there is nothing to do.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(root, "node_modules");
const isWindows = process.platform === "win32";
const node24 = isWindows ? join(modules, "node", "bin", "node.exe") : join(modules, ".bin", "node");
const forStart = process.argv[2] === "start";

/**
 * Names the folders that an installation may leave half made, where npm takes a package for a whole one. Whoever installs
 * touches the file every second, and removes it at the end; an older one tells that somebody was cut off.
 */
const underWayFile = join(modules, ".under-way.json");
const sign = { every: 1_000, lapsesAfter: 10_000 };

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

const isUnderWay = () =>
  Date.now() - (statSync(underWayFile, { throwIfNoEntry: false })?.mtimeMs ?? 0) < sign.lapsesAfter;

const isIn = (folders, name) => folders.some((folder) => name === folder || name.startsWith(`${folder}/`));

/** What is installed, and what is to be. npm notes what it installed in .package-lock.json. */
function compare() {
  const locked = readJson(join(root, "package-lock.json"))?.packages ?? {};
  const halfMade = (readJson(underWayFile) ?? []).filter((name) => /^node_modules\/(?!.*\.\.)/.test(name));
  const noted = Object.entries(readJson(join(modules, ".package-lock.json"))?.packages ?? {});
  // The list may be newer than the folders: a folder was deleted, or node_modules was copied with hard links.
  const isPresent = (name) => !isIn(halfMade, name) && (name === "" || existsSync(join(root, name)));
  const present = Object.fromEntries(noted.filter(([name]) => isPresent(name)));
  // Times are not compared: `git checkout` sets them anew. Optional packages for other platforms are not noted.
  const isMissing = (name) => {
    const { version, integrity, optional } = locked[name];
    const there = present[name];
    if (!there) return !optional || (lacksNode && name === "node_modules/node");
    // `executables.json` names the packages without a locked hash.
    return there.version !== version || (integrity !== undefined && there.integrity !== integrity);
  };
  const asked = (packages, all = !forStart) =>
    Object.keys(packages).filter((name) => name && (all || !packages[name].dev));
  const missing = asked(locked).filter(isMissing);
  const needless = asked(present).filter((name) => !locked[name]);
  // Who has the packages for tests keeps them: npm removes what it is told to omit.
  const all = !forStart || noted.some(([, { dev }]) => dev);
  return {
    isInstalled: missing.length + needless.length === 0 && asked(present).length > 0,
    missing,
    all,
    halfMade,
    // Those of optional packages, too: npm may find that they are for this machine.
    changing: [...asked(locked, all).filter((name) => !present[name] || isMissing(name)), ...needless],
  };
}

function fail(line) {
  console.error(line);
  process.exit(1);
}

async function install({ missing, all, halfMade, changing }) {
  const purpose = all ? "all that tests, checks and deployments need" : "what starting needs";
  console.error(`Installing ${purpose}, ${missing.length} packages (once) ...`);
  for (const folder of halfMade) rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(modules, { recursive: true });
  writeFileSync(underWayFile, JSON.stringify(changing));
  // npm and the scripts of the packages run on the machine's own Node: the one in node_modules is about to be replaced.
  const path = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(`${sep}node_modules${sep}.bin`))
    .join(delimiter);
  // Not `npm ci`, which would fetch all packages anew for one that changed. This takes the versions of the lock file too, and
  // leaves it as it is. Warnings would be about the machine's Node, which runs nothing but npm.
  const set = all ? "--include=dev" : "--omit=dev";
  const parameters = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", set];
  const npm = spawn("npm", parameters, {
    cwd: root,
    env: { ...process.env, PATH: path },
    shell: isWindows,
    // What a program prints for other programs is not to begin with this.
    stdio: ["inherit", 2, 2],
  });
  const alive = setInterval(() => utimesSync(underWayFile, new Date(), new Date()), sign.every);
  // npm may still be at work when it is told to end, so this waits for it. Ctrl-C reaches both by itself.
  process.on("SIGINT", () => undefined);
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => npm.kill(signal));
  const [status, signal] = await once(npm, "exit").catch((error) => [error.message]);
  clearInterval(alive);
  if (signal || status > 128) process.exit(1);
  rmSync(underWayFile, { force: true });
  if (status !== 0) {
    fail("npm install failed, see its lines above; if the network was the reason, run the command again.");
  }
}

/** Whether programs run on Node 24 or newer: that of the package `node`, or the machine's where there is none for it. */
function hasNode24() {
  const answer = spawnSync(existsSync(node24) ? node24 : "node", ["--version"], { encoding: "utf8" });
  return Number.parseInt(answer.stdout?.slice(1), 10) >= 24;
}

/**
 * Ends the program if an executable differs from the reviewed one. For a platform whose hash is unknown, says so once for
 * each executable.
 */
function verifyExecutables() {
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

if (isUnderWay()) console.error("Waiting for another installation to end ...");
while (isUnderWay()) await sleep(200);
const lacksNode = !existsSync(node24) && !hasNode24();
const state = compare();
if (!state.isInstalled) await install(state);
verifyExecutables();
if ((lacksNode || !state.isInstalled) && !hasNode24()) {
  fail(
    "Node 24 is missing: the package `node` brings it, where it has one for the platform and npm runs its install script. " +
      "Run: npm rebuild node --ignore-scripts=false. Or install Node 24 or newer.",
  );
}
