import { inspect } from "node:util";
import { beforeAll, beforeEach, vi } from "vitest";
import { serviceBucket } from "../../../../../shared/domain/documents/bucket.ts";
import { type Item, itemId } from "../../../../../shared/store/client.ts";
import { purgedPrefix } from "../../../../../shared/store/keys/crbs.ts";
import { invitationMailsKey } from "../../../../../shared/store/keys/invitations.ts";
import { crbList, licenseStatusList } from "../../../../../shared/store/keys/orderedLists.ts";
import { posTypeKey } from "../../../../../shared/store/keys/replication.ts";
import { givenServiceProvider } from "../../../../functions/callHandler.ts";
import { useTestAddressKey, useTestSealingKey, useTestServiceKey } from "../../../../testServiceKey.ts";
import { useMailbox } from "../../../../useMailbox.ts";
import { useQueues } from "../../../../useQueues.ts";
import { useTestBucket } from "../../../../useTestBucket.ts";
import { useTestTable } from "../../../../useTestTable.ts";
import { isLogged } from "../../../store/eventLog/eventsUnderTest.ts";
import { TestClock } from "../../../store/orderedList/listUnderTest.ts";
import { importRows } from "../../linkedLicenses/givenLicenses.ts";
import { fillBusiness, linkedNumber, type Provider, rejectedAddress } from "./fillBusiness.ts";

export const hour = 3_600_000;

/** The stores, queues and keys of the service for a test file, and a service provider whose businesses it fills. */
export function usePurge() {
  useTestServiceKey();
  useTestAddressKey();
  useTestSealingKey();
  const sent = useQueues();
  const table = useTestTable();
  useTestBucket({ versioned: true });
  const mailbox = useMailbox();
  // Behind the real clock, which handlers and the operator's program use: for them, all leases have expired.
  const clock = new TestClock(new Date(Date.now() - 1_000 * hour).toISOString());
  let provider: Provider;
  beforeAll(async () => {
    vi.stubEnv("POS_CONNECTORS", "sandbox");
    provider = await givenServiceProvider(table());
    // Of an unknown holder, so that it counts for businesses of all names.
    await importRows([{ number: linkedNumber, values: { licensee: "" } }], clock);
  });
  beforeEach(() => void mailbox.refused.add(rejectedAddress));
  return {
    table,
    clock,
    sent,
    provider: () => provider,
    stores: () => ({ table: table(), bucket: serviceBucket() }),
    /** @param maxRecords records of each kind, approximately */
    fill: (name: string, maxRecords: number) => fillBusiness(table(), provider, clock, name, maxRecords),
    /**
     * All items by name, except the service provider's lists and counts of its CRBs, digests of purged CRBs, credential
     * outcomes of POS types, and events in the log. The exceptions expire, or are kept on purpose.
     */
    comparable: (items: readonly Item[]) => {
      const lists = [crbList(provider.spId), licenseStatusList(provider.spId, "active")];
      const ofProvider = [
        ...lists.flatMap(({ orders: { rank } }) => [rank.dayIndexPartition, rank.slots]),
        invitationMailsKey(provider.spId, "").pk,
      ];
      const isApart = ({ pk, sk }: Item) =>
        ofProvider.includes(pk) || pk.startsWith(posTypeKey("").pk) || sk.startsWith(purgedPrefix);
      const kept = items.filter((item) => !isApart(item) && !isLogged(item));
      const whole = { depth: null, sorted: true, maxArrayLength: null, maxStringLength: null };
      return new Map(kept.map((item) => [itemId(item), `item ${inspect(item, whole)}`]));
    },
  };
}
