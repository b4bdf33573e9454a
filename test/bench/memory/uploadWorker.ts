import { uploadFile } from "../../../infra/tools/operator/uploadFile.ts";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Runs the operator's upload of a file alone in its process.

const { connection, kind, file, expected } = JSON.parse(process.argv[2] ?? "{}") as {
  connection: Connection;
  kind: RecordKind;
  file: string;
  expected: object;
};
const result: object = await uploadFile(serviceTable(), connection, kind, file);
const wrong = Object.entries(expected).filter(([name, count]) => result[name as never] !== count);
if (wrong.length > 0) throw new Error(JSON.stringify(result));
tellPeakMemory();
