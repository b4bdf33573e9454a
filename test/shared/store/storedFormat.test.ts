import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, inject, test, vi } from "vitest";
import { createTable } from "../../../infra/local/createTable.ts";
import { Table } from "../../../shared/store/client.ts";
import { storedFormatKey } from "../../../shared/store/keys/storedFormat.ts";
import { claimStoredFormat, readStoredFormat, storedFormat } from "../../../shared/store/storedFormat.ts";
import { engineClient, sendStraight } from "../../engineClient.ts";
import { tableEnvironment } from "../../testTable.ts";
import { interceptCalls } from "./orderedList/listUnderTest.ts";

/** A table without a format number, through a client that does not check it. */
let bare: Table;
beforeEach(async () => {
  bare = new Table(`test-${randomUUID()}`, engineClient(inject("engineEndpoint")));
  await createTable(bare.client, bare.name);
  Object.assign(process.env, tableEnvironment(bare));
});

const setFormat = (format: number) => bare.put({ ...storedFormatKey, format });
const key = { pk: "A", sk: "B" };

/** A new process of the service on the table: its table, its calls, and the reasons in its log. */
async function coldStart() {
  vi.resetModules();
  const { serviceTable } = await import("../../../shared/store/client.ts");
  const { log } = await import("../../../shared/platform/aws/log.ts");
  const table = serviceTable();
  sendStraight(table.client, inject("engineEndpoint"));
  const calls: string[] = [];
  const hooks = interceptCalls(table);
  hooks.before = (command, input) => {
    const keyOf = (input as { Key?: { pk?: unknown } }).Key?.pk;
    const isFormat = JSON.stringify(keyOf ?? "").includes(storedFormatKey.pk);
    calls.push(isFormat ? "format" : command.replace("Command", ""));
  };
  const reasons: string[] = [];
  vi.spyOn(log, "error").mockImplementation((...line) => {
    const { reason } = line[1] as { reason?: string };
    if (reason !== undefined) reasons.push(reason);
  });
  return { table, calls, hooks, reasons };
}

const otherFormat = storedFormat + 1;

describe.each([
  ["without a format number", undefined, "has no format number: check that it is the table of the stage "],
  [
    "of another format",
    otherFormat,
    `has stored data of format ${otherFormat}, and this release works on format ${storedFormat}: ` +
      `use a release of format ${otherFormat} (docs/`,
  ],
] as const)("on a table %s", (_, format, fault) => {
  beforeEach(async () => {
    if (format !== undefined) await setFormat(format);
    await bare.put({ ...key, value: 1 });
  });

  test("a read returns no data, a write is not sent, and the log has the reason and the remedy", async () => {
    const { table, calls, reasons } = await coldStart();
    const written = { ...key, value: 2 };
    const uses = {
      GetItem: () => table.get(key),
      BatchGetItem: () => table.batchGet([key]),
      TransactGetItems: () => table.transactGet([key]),
      Query: () => table.queryPartition("A"),
      PutItem: () => table.put(written),
      UpdateItem: () => table.update(key, { value: 2 }),
      DeleteItem: () => table.delete(key),
      BatchWriteItem: () => table.batchDelete([key]),
      TransactWriteItems: () => table.transact([table.putWrite(written)]),
    };
    for (const use of Object.values(uses)) await expect(use()).rejects.toMatchObject({ kind: "unavailable" });
    expect(calls.filter((call) => call !== "format")).toEqual(Object.keys(uses));
    expect(await bare.get(key)).toEqual({ ...key, value: 1 });
    expect(reasons).toHaveLength(9);
    for (const reason of reasons) expect(reason.startsWith(`Table ${bare.name} ${fault}`), reason).toBe(true);
  });
});

describe("on a table of the same format", () => {
  beforeEach(() => claimStoredFormat(bare.client, bare.name));

  test("only the first call of a process also reads the number, at the same time", async () => {
    const { table, calls, hooks } = await coldStart();
    const begunAtAnswers: number[] = [];
    hooks.after = () => void begunAtAnswers.push(calls.length);
    await Promise.all([table.batchGet([key]), table.get(key)]);
    expect(begunAtAnswers[0]).toBe(3);
    expect(calls.sort()).toEqual(["BatchGetItem", "GetItem", "format"]);
    await table.get(key);
    await table.put(key);
    expect(calls.slice(3)).toEqual(["GetItem", "PutItem"]);
  });

  test("a first write follows the check", async () => {
    const { table, hooks } = await coldStart();
    const stored: unknown[] = [];
    hooks.after = async () => void stored.push(await bare.get(key));
    await table.put(key);
    expect(stored).toEqual([undefined, key]);
  });

  test("a check that fails is repeated by the next call", async () => {
    const { table, hooks } = await coldStart();
    hooks.before = (_, input) => {
      if (JSON.stringify(input).includes(storedFormatKey.pk))
        throw Object.assign(new Error(), { name: "ThrottlingException" });
    };
    await expect(table.get(key)).rejects.toThrow();
    hooks.before = () => undefined;
    expect(await table.get(key)).toBeUndefined();
  });
});

test("a claim gives a table without a number this code's number, and changes no other number", async () => {
  expect(await readStoredFormat(bare.client, bare.name)).toBeUndefined();
  await claimStoredFormat(bare.client, bare.name);
  await claimStoredFormat(bare.client, bare.name);
  expect(await readStoredFormat(bare.client, bare.name)).toBe(storedFormat);
  await setFormat(otherFormat);
  await expect(claimStoredFormat(bare.client, bare.name)).rejects.toThrow(`has stored data of format ${otherFormat}`);
  expect(await readStoredFormat(bare.client, bare.name)).toBe(otherFormat);
});
