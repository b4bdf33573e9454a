import { expect, test } from "vitest";
import { inTerminal, script } from "./inTerminal.ts";

const bar = script(`
  import { startProgressBar } from "./infra/cli/progressBar.ts";
  startProgressBar(process.stdout, { done: 12, total: 340, text: "12 of 340 CRBs" });
  setInterval(() => undefined, 1_000);`);

test.each([
  ["Ctrl-C", { type: "\u0003" }, "SIGINT"],
  ["SIGTERM", { signal: "SIGTERM" }, "SIGTERM"],
  ["SIGHUP", { signal: "SIGHUP" }, "SIGHUP"],
  ["SIGKILL", { signal: "SIGKILL" }, "SIGKILL"],
] as const)("%s ends a program during a progress bar, and the terminal has its cursor", async (_, event, signal) => {
  const ended = await inTerminal(bar, { event: { after: "12 of 340 CRBs", ...event } });
  expect([ended.code, ended.signal]).toEqual([null, signal]);
  expect(ended.out).not.toContain("\u001b[?");
});

test("Ctrl-C ends a program that reads a secret, and the terminal echoes keys again", async () => {
  const program = script(`
    import { runProgram } from "./infra/cli/runProgram.ts";
    import { readSecretLine } from "./infra/tools/operator/terminal.ts";
    process.exitCode = await runProgram(async (_, terminal) => void (await readSecretLine(terminal, "Secret")), [], process);`);
  const shell = ["sh", "-c", 'trap : INT; "$@"; echo "exit $?"; stty -a', "sh", ...program];
  const { out } = await inTerminal(shell, { event: { after: "Secret: ", type: "sk_abc\u0003" } });
  expect(out).toContain("exit 130");
  expect(out).toMatch(/ echo /);
  expect(out).toMatch(/ icanon/);
  expect(out).not.toContain("sk_abc");
});
