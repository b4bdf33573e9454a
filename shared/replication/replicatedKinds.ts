import type { RecordKind } from "../kinds.ts";
import type { Connection } from "../pos/connector.ts";
import type { PosRecords } from "../pos/posRecords.ts";
import type { Table } from "../table/client.ts";
import { customerTerms } from "../table/customers.ts";
import { inventoryTerms, keepLocations, locationInventoryWriter } from "../table/inventory.ts";
import type { Fence } from "../table/rankedList/fence.ts";
import type { RecordToWrite, RecordWriter, WriterOptions } from "../table/rankedList/recordWriter.ts";
import { saleCustomer, saleDay, saleTerms } from "../table/sales.ts";
import { keepSnapshots } from "../table/snapshots.ts";
import type { Clock } from "../time/clock.ts";
import { localDay } from "../time/localTime.ts";
import { completeCustomers } from "./completeCustomers.ts";
import { completeSales, keepDateOfVoided, settledUpTo } from "./completeSales.ts";
import type { Lease } from "./lease.ts";
import { normaliseCustomer } from "./normaliseCustomer.ts";
import { normaliseInventory } from "./normaliseInventory.ts";
import { normaliseLocation, renderLocation } from "./normaliseLocation.ts";
import { normaliseProduct } from "./normaliseProduct.ts";
import { normaliseSale } from "./normaliseSale.ts";
import type { SeenRanks } from "./seenRanks.ts";
import { mendLocations, underWayOf } from "./underWay.ts";
import { zeroVanished } from "./vanishedInventory.ts";

/** What a run works on, and the lease it works under. */
interface RunContext {
  table: Table;
  connection: Connection;
  lease: Lease;
  fence: Fence;
  clock: Clock;
}

/** What differs between the kinds of records on their way from the POS to the table. */
interface ReplicatedKind<Kind extends RecordKind> {
  /** null where no record can be made, for the reason in `refuses` */
  normalise(connection: Connection, record: PosRecords[Kind]): RecordToWrite | null;
  refuses?: { field: string; reason: string };
  /** adds what the POS tells elsewhere, or told before */
  complete?(context: RunContext, records: PosRecords[Kind][]): Promise<PosRecords[Kind][]>;
  /** up to which instant that is settled; see `PullRequest` */
  settledUpTo?(context: RunContext): Promise<Date>;
  /** what the list's writer needs besides lease and clock */
  writerOptions?(context: RunContext): Omit<WriterOptions, "fence" | "clock">;
  /** makes good what an earlier run was killed at */
  beforeRun?(context: RunContext): Promise<void>;
  beforePage?(context: RunContext): Promise<void>;
  /**
   * Deals with what a complete pull has not named.
   *
   * @returns how many records that changed
   */
  afterCompletePull?(context: RunContext, writer: RecordWriter, seen: SeenRanks): Promise<number>;
}

export const replicatedKinds: { [Kind in RecordKind]: ReplicatedKind<Kind> } = {
  location: {
    normalise: normaliseLocation,
    writerOptions: ({ connection }) => ({ render: renderLocation(connection.timezone) }),
  },
  product: { normalise: normaliseProduct },
  customer: {
    normalise: normaliseCustomer,
    complete: ({ table, connection }, customers) => completeCustomers(table, connection, customers),
    writerOptions: () => ({ termsOf: customerTerms }),
  },
  inventory: {
    normalise: normaliseInventory,
    writerOptions: ({ table, connection, lease, fence, clock }) => {
      const writeLocations = locationInventoryWriter(table, connection.crbId, { fence, clock });
      return {
        termsOf: inventoryTerms,
        merge: keepLocations,
        beforeCommit: async (contents) => {
          await lease.announce(underWayOf(contents));
          await writeLocations(contents);
        },
      };
    },
    beforeRun: ({ connection: { crbId }, lease, ...context }) => mendLocations({ ...context, crbId }, lease.underWay),
    beforePage: ({ table, connection, fence, clock }) =>
      keepSnapshots(table, connection.crbId, localDay(clock.now(), connection.timezone), fence, clock),
    afterCompletePull: ({ table, connection }, writer, seen) => zeroVanished(table, connection.crbId, writer, seen),
  },
  sale: {
    normalise: normaliseSale,
    refuses: { field: "date", reason: "out_of_range" },
    complete: ({ table, connection }, sales) => completeSales(table, connection, sales),
    settledUpTo: ({ table, connection }) => settledUpTo(table, connection.crbId),
    writerOptions: () => ({
      termsOf: saleTerms,
      saleDayOf: saleDay,
      customerOf: saleCustomer,
      merge: keepDateOfVoided,
    }),
  },
};
