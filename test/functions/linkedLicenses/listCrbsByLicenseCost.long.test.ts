import { randomUUID } from "node:crypto";
import { BatchWriteItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "vitest";
import { rebuildCrbList } from "../../../shared/domain/replication/rebuildLists.ts";
import { type Item, serviceTable } from "../../../shared/store/client.ts";
import { associationKey, crbKey } from "../../../shared/store/keys/crbs.ts";
import { crbLicensesKey, linkedLicenseKey } from "../../../shared/store/keys/licenses.ts";
import { licenseStatusList, recordKey } from "../../../shared/store/keys/orderedLists.ts";
import { costOf } from "../../bench/capacity.ts";
import { crbRecord } from "../../crbRecord.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenServiceProvider } from "../callHandler.ts";

const table = useTestTable();

const crbs = 3_000;
const linksOfEach = 10;
const statuses = ["active", "expiring"] as const;

/** The items of a CRB with ten links. Its first license expires soon, if `isExpiring`. */
function itemsOf(spId: string, crbId: string, isExpiring: boolean): Item[] {
  const licenses = Array.from({ length: linksOfEach }, (_, i) => ({
    licenseId: `CO-${randomUUID().replaceAll("-", "").slice(0, 22)}`,
    status: statuses[isExpiring && i === 0 ? 1 : 0] as (typeof statuses)[number],
  }));
  const states = licenses.map(({ licenseId, status }) => [licenseId, { status, isDifferent: false }]);
  const holder = { licensee: "Test Dispensary LLC", tradeNames: ["Test Dispensary"], locality: "Denver" };
  return [
    { ...crbKey(crbId), record: crbRecord(crbId), serviceProviderId: spId, connection: null, version: 1 },
    { ...associationKey(spId, crbId) },
    ...licenses.map(({ licenseId, status }) => ({ ...linkedLicenseKey(spId, crbId, licenseId), status, holder })),
    { ...crbLicensesKey(spId, crbId), licenses: Object.fromEntries(states), version: randomUUID() },
    ...(isExpiring ? statuses : statuses.slice(0, 1)).map((status) => ({
      ...recordKey(licenseStatusList(spId, status), crbId),
    })),
  ];
}

async function store(items: readonly Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += 25) {
    const requests = items.slice(start, start + 25).map((item) => ({ PutRequest: { Item: marshall(item) } }));
    const input = { RequestItems: { [table().name]: requests } };
    const { UnprocessedItems } = await table().client.send(new BatchWriteItemCommand(input));
    expect(UnprocessedItems ?? {}).toEqual({});
  }
}

test("a page of twenty CRBs takes at most 23 read units at 30,000 linked licenses, at any offset", async () => {
  const { spId, call } = await givenServiceProvider(table());
  const ids = Array.from({ length: crbs }, () => randomUUID());
  for (const [i, id] of ids.entries()) await store(itemsOf(spId, id, i % 100 === 0));
  // Positions and counts of the stored CRBs.
  for await (const report of rebuildCrbList(table(), spId)) {
    if (report.list === "crb by license") expect(report.differences.records).toBe(0);
  }
  const read = (status: string, offset: number) => {
    const query = { license_status: [status], limit: ["20"], offset: [String(offset)] };
    return call("listServiceProviderCrbs", { query });
  };
  for (const [status, total, offsets] of [
    ["active", crbs, [0, 1_490, 2_980]],
    ["expiring", crbs / 100, [0, 10]],
    ["missing", 0, [0]],
  ] as const) {
    for (const offset of offsets) {
      const { result, readUnits } = await costOf(serviceTable().client, () => read(status, offset));
      expect(result.json.metadata.total).toBe(total);
      expect(result.json.data).toHaveLength(Math.min(20, total - offset));
      expect(readUnits, `${status} from ${offset}`).toBeLessThanOrEqual(23);
    }
  }
}, 600_000);
