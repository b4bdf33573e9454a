import { afterAll, beforeAll, vi } from "vitest";
import { useTestAddressKey, useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { useMailbox } from "../../useMailbox.ts";
import { useQueues } from "../../useQueues.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestTable } from "../../useTestTable.ts";
import { termsEnvironment } from "./givenInvited.ts";

/** What invited users need in the tests of a file: keys, a table, a bucket, queues, a mailbox and the terms. */
export function useInvitedUsers() {
  useTestServiceKey();
  useTestAddressKey();
  useTestSealingKey();
  const table = useTestTable();
  useTestBucket();
  const queued = useQueues();
  const mailbox = useMailbox();
  beforeAll(() => {
    for (const [name, value] of Object.entries(termsEnvironment)) vi.stubEnv(name, value);
  });
  afterAll(() => void vi.unstubAllEnvs());
  return { table, queued, ...mailbox };
}
