// Runs before `npm start` and `npm test` on the machine's own Node 20, so it is plain JavaScript. Installs the packages of
// package-lock.json if they are missing or outdated, then verifies the executables. With the argument `start` it installs
// only `dependencies`, a fifth of the packages. Takes a few milliseconds if nothing is missing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  comparePackages,
  fail,
  isWindows,
  lacksNode,
  modules,
  requireNode24,
  root,
  underWayFile,
  verifyExecutables,
} from "./packages.mjs";

const forStart = process.argv[2] === "start";

/**
 * A running installation touches `underWayFile` every `intervalMs`. If the file is older than `maxAgeMs`, its
 * installation was interrupted.
 */
const heartbeat = { intervalMs: 1_000, maxAgeMs: 10_000 };

const isUnderWay = () =>
  Date.now() - (statSync(underWayFile, { throwIfNoEntry: false })?.mtimeMs ?? 0) < heartbeat.maxAgeMs;

/** The packages whose install scripts npm runs, as `allowScripts` of package.json says. */
const scripted = ["node", "esbuild"];

async function install({ missing, all, halfMade, changing }) {
  const purpose = all ? "all that tests, checks and deployments need" : "what starting needs";
  console.error(`Installing ${purpose}, ${missing.length} packages (once) ...`);
  for (const folder of halfMade) rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(modules, { recursive: true });
  writeFileSync(underWayFile, JSON.stringify(changing));
  // npm and install scripts run on the machine's own Node, since npm may replace the Node in node_modules.
  const path = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(`${sep}node_modules${sep}.bin`))
    .join(delimiter);
  // `npm ci` would install all packages again even if only one changed. `npm install --no-save` also takes the versions
  // of package-lock.json, and leaves this file unchanged. Warnings are hidden: they would be about the machine's Node,
  // which runs only npm.
  const set = all ? "--include=dev" : "--omit=dev";
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  // npm would also run the script `prepare` of this project, on a Node that is not verified yet. So it runs the scripts of
  // packages separately.
  const parameters = ["install", "--no-save", "--ignore-scripts", ...quiet, "--prefer-offline", set];
  let npm;
  const run = async (...args) => {
    npm = spawn("npm", args, {
      cwd: root,
      env: { ...process.env, PATH: path },
      shell: isWindows,
      // npm's output goes to stderr, since stdout is for the program that starts afterwards.
      stdio: ["inherit", 2, 2],
    });
    return await once(npm, "exit").catch((error) => [error.message]);
  };
  const alive = setInterval(() => utimesSync(underWayFile, new Date(), new Date()), heartbeat.intervalMs);
  // npm may still be at work when this process gets a signal, so this process waits for npm to end. Ctrl-C reaches both
  // processes, so SIGINT needs no forwarding.
  process.on("SIGINT", () => undefined);
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => npm.kill(signal));
  let [status, signal] = await run(...parameters);
  if (status === 0) [status, signal] = await run("rebuild", "--ignore-scripts=false", "--loglevel=error", ...scripted);
  clearInterval(alive);
  if (signal || status > 128) process.exit(1);
  rmSync(underWayFile, { force: true });
  if (status !== 0) {
    fail("npm install failed, see its lines above; if the network was the reason, run the command again.");
  }
}

if (isUnderWay()) console.error("Waiting for another installation to end ...");
while (isUnderWay()) await sleep(200);
const needsNode = lacksNode();
const state = comparePackages({ forStart, needsNode });
if (!state.isInstalled) await install(state);
verifyExecutables();
if (needsNode || !state.isInstalled) requireNode24();
