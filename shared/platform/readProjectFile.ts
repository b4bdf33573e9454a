import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The root folder of project files. In a bundle for AWS it is the function's folder, where the files have the same
 * relative paths as in this project.
 */
const root = process.env.LAMBDA_TASK_ROOT ?? join(import.meta.dirname, "../..");

/**
 * Reads the text of a project file.
 *
 * @param path from the project's root
 */
export const readProjectFile = (path: string): string => readFileSync(join(root, path), "utf8");
