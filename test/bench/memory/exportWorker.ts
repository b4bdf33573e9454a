import type { ExportFormat } from "../../../shared/api/enumerations.ts";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { createExport } from "../../../shared/domain/exports/createExport.ts";
import { endExport } from "../../../shared/domain/exports/endExport.ts";
import { runExport } from "../../../shared/domain/exports/runExport.ts";
import { readExport } from "../../../shared/domain/exports/storedExport.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { costOf } from "../capacity.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Exports the sales of a business alone in its process, in one run, and deletes the export. Prints its records, files, bytes
// and units, the time in seconds, and its peak memory.

const { spId, crbId, format } = JSON.parse(process.argv[2] ?? "{}") as {
  spId: string;
  crbId: string;
  format: ExportFormat;
};
const stores = { table: serviceTable(), bucket: serviceBucket() };
const body = { kinds: ["sales" as const], format };
const { id } = await createExport(stores.table, { spId, crbId, body, createdBy: null });
const deadline = new Date(Date.now() + 24 * 3_600_000);
const started = performance.now();
const { result, readUnits, writeUnits } = await costOf(stores.table.client, () =>
  runExport(stores, { crb_id: crbId, export_id: id }, { deadline }),
);
const seconds = (performance.now() - started) / 1_000;
if (result.outcome !== "ready") throw new Error(`the export is ${result.outcome}`);
const parts = (await readExport(stores.table, crbId, id, new Date()))?.parts ?? [];
const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
await endExport(stores, crbId, id, { status: "deleted", reason: "requested" });
tellPeakMemory({ records: result.records, files: parts.length, bytes, readUnits, writeUnits, seconds });
process.exit();
