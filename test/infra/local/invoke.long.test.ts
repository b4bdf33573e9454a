import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useStage } from "../../api/useStage.ts";
import { printed, startProgram } from "./startedProcess.ts";
import { temporaryDirectories } from "./temporaryDirectories.ts";

const { data } = useStage();
const temporaryDirectory = temporaryDirectories();

test("npm run invoke with --watch calls the function again when a file changes, until it is interrupted", async () => {
  const file = join(temporaryDirectory(), "event.json");
  const write = (limit: string) => {
    const event = JSON.parse(readFileSync("events/listCustomers.json", "utf8"));
    event.multiValueQueryStringParameters = { limit: [limit] };
    writeFileSync(file, JSON.stringify(event));
  };
  write("1");
  const started = startProgram("invoke.ts", ["listCustomers", "--watch", "--data", data(), "--event", file]);
  await printed(started, '"metadata"');
  write("0");
  await printed(started, '"Validation Failed"');
  expect(started.err).toMatch(/^200 OK after .*\n\nevent\.json has changed\n422 Unprocessable Entity after .*\n$/);
  expect(started.out.trim().split("\n")).toHaveLength(2);
  started.child.kill("SIGINT");
  expect(await started.ended).toEqual({ code: 0, signal: null });
});
