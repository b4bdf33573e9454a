import { statSync } from "node:fs";
import type * as z from "zod";
import { moneyPaths } from "../../../shared/pos/upload/columns.ts";
import { findDollars } from "../../../shared/pos/upload/findDollars.ts";
import { StageError } from "../../cli/stageError.ts";
import type { UploadedFile } from "./uploadRows.ts";

const choice = "--amounts dollars or --amounts cents";

/**
 * Checks a file for which the operator stated no unit of amounts: no amount may look like dollars. The check reads the
 * whole file, since whole dollars look like cents: perhaps only an amount in the last row looks like dollars.
 *
 * @param open opens the rows of the file; called only if the schema has fields that hold money
 * @throws StageError if an amount looks like dollars, or a row that may have such an amount cannot be read
 */
export async function checkAmounts(file: string, schema: z.ZodType, open: () => UploadedFile): Promise<void> {
  if (moneyPaths(schema).length === 0) return;
  const { rows, firstEntry } = open();
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFIFO() || stats?.isCharacterDevice()) {
    throw new StageError(
      `${file} can be read only once, so its amounts cannot be checked before the upload. Add ${choice}.`,
    );
  }
  const found = await findDollars(rows, schema, { firstEntry });
  if (!found) return;
  const reason =
    "sign" in found
      ? `Line ${found.line} of ${file} has ${found.sign} in ${found.field}, so its amounts look like dollars, but would be read as cents`
      : `Line ${found.line} of ${file} cannot be read (${found.unreadable}), so its amounts may be dollars, but would be read as cents`;
  throw new StageError(`${reason}: 35 would be 35 cents. Nothing was stored. Run the command again with ${choice}.`);
}
