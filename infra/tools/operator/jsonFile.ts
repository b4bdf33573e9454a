import { readFileSync } from "node:fs";
import type * as z from "zod";
import { messageOf } from "../../../shared/api/messages.ts";
import { StageError } from "../../cli/stageError.ts";

/**
 * Reads a JSON file and validates it.
 *
 * @param complete adds defaults first
 * @throws StageError that names the file and the invalid fields
 */
export function readJsonFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  complete: (content: object) => object = (content) => content,
): z.output<Schema> {
  const { data, error } = schema.safeParse(complete(read(file)), { error: messageOf });
  if (error) {
    const reasons = error.issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
    throw new StageError(`${file} is invalid: ${reasons.join("; ")}.`);
  }
  return data;
}

function read(file: string): object {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new StageError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? "it is not JSON"}.`);
  }
  if (typeof content !== "object" || content === null) throw new StageError(`${file} must contain a JSON object.`);
  return content;
}
