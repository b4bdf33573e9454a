import { existsSync } from "node:fs";
import { join } from "node:path";
import { StageError } from "../../../cli/stageError.ts";

/**
 * Checks that new files overwrite no existing files.
 *
 * @param root the project's folder
 * @param files by path in the project
 * @throws StageError if one exists
 */
export function expectFreeFiles(root: string, files: Iterable<string>): void {
  for (const file of files) {
    if (existsSync(join(root, file))) {
      throw new StageError(`${file} already exists: choose another name, or remove the file.`);
    }
  }
}
