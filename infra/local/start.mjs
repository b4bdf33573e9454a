// `npm start`: installs the packages that are missing, then runs start.ts. With --help it installs nothing. It may run on the
// machine's own Node 20, so it is plain JavaScript.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { comparePackages, isNode24, nodeProgram } from "./packages.mjs";

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const parameters = process.argv.slice(2);

if (parameters.some((one) => one === "--help" || one === "-h")) {
  if (!comparePackages({ forStart: true, needsNode: false }).isInstalled || !isNode24(nodeProgram())) {
    process.stdout.write(readFileSync(fileOf("startHelp.txt")));
    process.exit();
  }
} else {
  const { status } = spawnSync(process.execPath, [fileOf("install.mjs"), "start"], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
if (isNode24(process.execPath)) await import("./start.ts");
else {
  const child = spawn(nodeProgram(), [fileOf("start.ts"), ...parameters], { stdio: "inherit" });
  // Ctrl-C reaches both processes, and start.ts ends the stage in order.
  process.on("SIGINT", () => undefined);
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
}
