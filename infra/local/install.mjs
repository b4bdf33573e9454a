// Runs before the programs of package.json, on whatever Node the machine has, so plain JavaScript: installs the packages
// when they are missing or others than package-lock.json names, and sees that Node 24 is among them. With the argument
// `start` it is content with what starting needs, the `dependencies` of package.json: a fifth of the time. Costs a few
// milliseconds when there is nothing to do.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(root, "node_modules");
const node24 = join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");
const forStart = process.argv[2] === "start";

/** The packages a lock file names, by folder; none when it can't be read. */
function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return {};
  }
}

// npm notes what it installed in .package-lock.json; optional packages for other platforms are not in it. Times are not
// compared: `git checkout` sets them anew.
const locked = lockedPackages(join(root, "package-lock.json"));
const present = lockedPackages(join(modules, ".package-lock.json"));

/** The folders of the packages that are asked for, among those of a lock file. */
const askedFor = (packages) => Object.keys(packages).filter((name) => name && !(forStart && packages[name].dev));

/** Those of package-lock.json that are not there. */
const missing = askedFor(locked).filter((name) => {
  const { version, integrity, optional } = locked[name];
  const there = present[name];
  return there ? there.version !== version || there.integrity !== integrity : !optional;
});
const isInstalled =
  missing.length === 0 && askedFor(present).length > 0 && askedFor(present).every((name) => locked[name]);

function fail(line) {
  console.error(line);
  process.exit(1);
}

function install() {
  // Who has the packages for tests keeps them: npm removes what it is told to omit.
  const all = !forStart || Object.values(present).some(({ dev }) => dev);
  const purpose = forStart ? "what starting needs" : "all that tests, checks and deployments need";
  console.log(`Installing ${purpose}, ${missing.length} packages (once) ...`);
  // npm and the scripts of the packages run on the machine's own Node: the one in node_modules is about to be replaced.
  const path = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(`${sep}node_modules${sep}.bin`))
    .join(delimiter);
  // Not `npm ci`: it refuses a lock file that lacks optional packages for other platforms, and some of these are in no
  // registry. This takes the versions of the lock file too, and leaves it as it is. Warnings would be about the machine's
  // Node, which runs nothing but npm.
  const set = all ? "--include=dev" : "--omit=dev";
  const npm = spawnSync(`npm install --no-save --no-audit --no-fund --loglevel=error ${set}`, {
    cwd: root,
    env: { ...process.env, PATH: path },
    shell: true,
    stdio: "inherit",
  });
  if (npm.status !== 0) {
    fail("npm install failed, see its lines above; if the network was the reason, run the command again.");
  }
}

/** Major version of a node program, NaN when it does not run. */
function majorVersion(program) {
  const answer = spawnSync(program, ["--version"], { encoding: "utf8", shell: process.platform === "win32" });
  return Number.parseInt(answer.stdout?.slice(1), 10);
}

if (!isInstalled) install();
if (!isInstalled || !existsSync(node24)) {
  const found = existsSync(node24) ? majorVersion(node24) : majorVersion("node");
  if (!(found >= 24)) {
    fail(
      "Node 24 is missing: the package `node` brings it by its install script, which npm did not run. " +
        "Run: npm rebuild node --ignore-scripts=false",
    );
  }
}
