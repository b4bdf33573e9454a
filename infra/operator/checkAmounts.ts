import { statSync } from "node:fs";
import type * as z from "zod";
import { moneyPaths } from "../../shared/pos/upload/columns.ts";
import { findDollars } from "../../shared/pos/upload/findDollars.ts";
import { StageError } from "../local/stageError.ts";
import type { UploadedFile } from "./uploadRows.ts";

const choice = "--amounts dollars or --amounts cents";

/**
 * Checks that the amounts of a file whose sender does not say their unit can only be cents. This reads the whole file: rows of
 * whole dollars look like cents, and the row that shows what they are may be the last.
 *
 * @param open the rows of the file; they are read only if the schema has fields that hold money
 * @throws StageError when an amount looks like dollars, or may do so in a row that cannot be read
 */
export async function checkAmounts(file: string, schema: z.ZodType, open: () => UploadedFile): Promise<void> {
  if (moneyPaths(schema).length === 0) return;
  const { rows, firstEntry } = open();
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFIFO() || stats?.isCharacterDevice()) {
    throw new StageError(`${file} can be read only once, so its amounts cannot be checked. Add ${choice}.`);
  }
  const found = await findDollars(rows, schema, { firstEntry });
  if (!found) return;
  const reason =
    "sign" in found
      ? `Line ${found.line} of ${file} has ${found.sign} in ${found.field}, which looks like dollars, but amounts are read as cents`
      : `Line ${found.line} of ${file} cannot be read (${found.unreadable}), so its amounts may be dollars, but amounts are read as cents`;
  throw new StageError(`${reason}: 35 would be 35 cents. Nothing was written. Run it again with ${choice}.`);
}
