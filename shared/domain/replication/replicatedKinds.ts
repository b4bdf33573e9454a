import type { RecordKind } from "../../api/kinds.ts";
import type { Connection } from "../../pos/connector.ts";
import type { PosRecords } from "../../pos/posRecords.ts";
import { keepLocations } from "../../store/inventory.ts";
import { outboxPartition } from "../../store/keys/inventory.ts";
import type { RecordToWrite, WriterOptions } from "../../store/orderedList/recordWriter.ts";
import { compareSums } from "./compareSums.ts";
import { completeCustomers } from "./completeCustomers.ts";
import { completeSales, keepDateOfVoided, readCaughtUpTo } from "./completeSales.ts";
import { LocationLists } from "./locationLists.ts";
import { normalizeCustomer } from "./normalizeCustomer.ts";
import { normalizeInventory } from "./normalizeInventory.ts";
import { normalizeLocation, renderLocation } from "./normalizeLocation.ts";
import { normalizeProduct } from "./normalizeProduct.ts";
import { normalizeSale } from "./normalizeSale.ts";
import type { RecordContent } from "./recordContent.ts";
import type { ReplicationLease } from "./replicationLease.ts";
import type { DerivedLists, RunContext } from "./runContext.ts";
import { SeenPaymentNames } from "./seenPaymentNames.ts";
import type { SeenPositions } from "./seenPositions.ts";
import { findVanished, type VanishedInventory } from "./vanishedInventory.ts";

/** The replication steps that differ between the kinds of records. */
interface ReplicatedKind<Kind extends RecordKind> {
  /** converts a POS record; null if the record must be rejected, for the reason in `refuses` */
  normalize(connection: Connection, record: PosRecords[Kind]): RecordToWrite<RecordContent[Kind]> | null;
  refuses?: { field: string; reason: string };
  /** fills in fields that the POS reports in other records, or has reported earlier */
  complete?(context: RunContext, records: PosRecords[Kind][]): Promise<PosRecords[Kind][]>;
  /** compares amounts that the POS reports twice */
  compare?(records: readonly PosRecords[Kind][]): { compared: number; mismatched: number };
  /** creates a function that keeps facts about the records of each page; called once per time slice of a run */
  observePage?(
    context: RunContext,
    lease: Pick<ReplicationLease, "since" | "position">,
  ): (records: readonly PosRecords[Kind][]) => Promise<void>;
  /** reads the time up to which the sources of `complete`, such as products, are stored; see `PullRequest` */
  readCaughtUpTo?(context: RunContext): Promise<Date | undefined>;
  /** further options for the writer of the list of records */
  writerOptions?(context: RunContext): SomeWriterOptions | Promise<SomeWriterOptions>;
  /** creates the lists derived from the records; called once per run */
  derivedLists?(context: RunContext): DerivedLists;
  /** finds the stored records that have a quantity although a pull has not named them */
  findVanished?(
    context: RunContext,
    seen: SeenPositions,
    waitingSample: readonly string[] | undefined,
  ): Promise<VanishedInventory>;
}

type SomeWriterOptions = Pick<WriterOptions, "render" | "merge" | "outbox" | "derived">;

export const replicatedKinds: { [Kind in RecordKind]: ReplicatedKind<Kind> } = {
  location: {
    normalize: normalizeLocation,
    writerOptions: ({ connection }) => ({ render: renderLocation(connection.timezone) }),
  },
  product: { normalize: normalizeProduct },
  customer: {
    normalize: normalizeCustomer,
    complete: ({ table, connection }, customers) => completeCustomers(table, connection, customers),
  },
  inventory: {
    normalize: normalizeInventory,
    refuses: { field: "location_data", reason: "out_of_range" },
    writerOptions: ({ connection }) => ({ merge: keepLocations, outbox: outboxPartition(connection.crbId) }),
    derivedLists: (context) => new LocationLists(context),
    findVanished,
  },
  sale: {
    normalize: normalizeSale,
    refuses: { field: "date", reason: "out_of_range" },
    complete: ({ table, connection }, sales) => completeSales(table, connection, sales),
    compare: compareSums,
    observePage: (context, lease) => {
      const names = new SeenPaymentNames(context, lease);
      return (sales) => names.recordPage(sales);
    },
    readCaughtUpTo: ({ table, connection }) => readCaughtUpTo(table, connection),
    writerOptions: async ({ connection }) => {
      // Only runs of sales load the rules.
      const { saleCompliance } = await import("./saleCompliance.ts");
      return { merge: keepDateOfVoided(connection.timezone), derived: saleCompliance(connection.state) };
    },
  },
};
