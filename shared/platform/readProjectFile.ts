import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Bundled for AWS, the files lie below the function's folder under the same paths as in this project. */
const root = process.env.LAMBDA_TASK_ROOT ?? join(import.meta.dirname, "../..");

/**
 * Reads the text of a project file.
 *
 * @param path from the project's root
 */
export const readProjectFile = (path: string): string => readFileSync(join(root, path), "utf8");
