import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { handler as worker } from "../../../functions/statements/worker.ts";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { useQueues } from "../../useQueues.ts";
import { workOff } from "../workOff.ts";

/** The worker of statements and access reports, with its queue and an empty directory of access logs. */
export function useStatementWorker() {
  const sent = useQueues();
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "access-logs-"));
    vi.stubEnv("ACCESS_LOG_DIRECTORY", directory);
    vi.stubEnv("REPLICATE_EVERY_SECONDS", JSON.stringify(Object.fromEntries(recordKinds.map((kind) => [kind, 60]))));
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  return { sent, directory: () => directory, work: () => workOff("statements", sent.statements, worker) };
}
