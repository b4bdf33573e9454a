import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { runProgram } from "../../../infra/cli/runProgram.ts";
import { ServiceError } from "../../../shared/api/errors.ts";
import { LeaseHeldError } from "../../../shared/domain/replication/withReplicationLease.ts";

test.each([
  [new LeaseHeldError(), /^A replication of this business is running\. Run the same command again/],
  [new Error("no route"), /^The table or the bucket of the stage cannot be reached/],
])("an outage by %s says what to do", async (cause, line) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const program = () => Promise.reject(new ServiceError("unavailable", { cause }));
  expect(await runProgram(program, [], { stdin, stdout, stderr })).toBe(1);
  stderr.end();
  expect(await text(stderr)).toMatch(line);
});
