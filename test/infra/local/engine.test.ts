import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isRunning } from "./startedProcess.ts";

test("an engine ends with the process that started it, even if that calls no stop", async () => {
  const program = `
    const { startEngine } = await import("./infra/local/engine.ts");
    const { pid } = await startEngine();
    console.log(pid);
    process.exit();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (part) => {
    output += part;
  });
  await once(child, "close");
  const pid = Number(output);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
});
