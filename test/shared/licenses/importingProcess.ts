import { serviceBucket } from "../../../shared/documents/bucket.ts";
import { importRegister } from "../../../shared/licenses/importRegister.ts";
import { serviceTable } from "../../../shared/table/client.ts";
import { tellPeakMemory } from "../../bench/memory/tellPeakMemory.ts";
import { manyRows } from "./manyRows.ts";

// An import of a register, alone in its process; tells its counts and its peak.

const { state, first, count } = JSON.parse(process.argv[2] ?? "{}") as Parameters<typeof manyRows>[0] & { state: "CO" };
const stores = { table: serviceTable(), bucket: serviceBucket() };
const { refused, ...counts } = await importRegister(stores, { state, authority: "" }, manyRows({ first, count }));
tellPeakMemory({ ...counts, refused: refused.length });
process.exit();
