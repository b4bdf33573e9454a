import { afterEach, beforeEach, vi } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { listCrbs } from "../../../shared/store/crbs.ts";
import { useTestAddressKey, useTestSealingKey, useTestServiceKey } from "../../testServiceKey.ts";
import { useQueues } from "../../useQueues.ts";
import { givenServiceProvider } from "../callHandler.ts";

/** A valid body with POS credentials of user name and password, and parts with which tests change it. */
export const valid = {
  org: { name: "Sunrise Collective", state: "CO", business_type: "retail" },
  pos_info: { pos_type: "Alleaves", pos_credentials: { username: "testing", password: "valid-password" } },
};

export const user = { email: "robin.reyes@example.com", firstName: "Robin", lastName: "Reyes" };

/** A sandbox stage for calls of createCrb: keys, connectors, queues, and service providers. */
export function useCreation(table: () => Table) {
  useTestServiceKey();
  useTestAddressKey();
  useTestSealingKey();
  const queued = useQueues();
  beforeEach(() => {
    vi.stubEnv("POS_CONNECTORS", "sandbox");
  });
  afterEach(() => vi.unstubAllEnvs());

  async function given() {
    const provider = await givenServiceProvider(table());
    const create = (body: unknown, headers: Record<string, string> = {}) =>
      provider.call("createCrb", { body, headers });
    const listed = async () => {
      const { records } = await listCrbs(table(), provider.spId, { offset: 0, limit: 1000 });
      return records.filter(({ id }) => id !== provider.crbId);
    };
    return { ...provider, create, listed };
  }
  return { given, queued };
}
