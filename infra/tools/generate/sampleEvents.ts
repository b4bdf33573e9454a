import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { root } from "../../codegen/generatedFile.ts";
import { exampleEvent } from "../../local/exampleEvent.ts";

const folder = join(root, "events");

/** JSON as the formatter writes it: an array with one value takes one line. */
const toText = (event: object): string =>
  `${JSON.stringify(event, null, 2).replace(/\[\n\s+("(?:\\.|[^"\\])*")\n\s+\]/g, "[$1]")}\n`;

/**
 * Writes the sample events in events/ from the operation registry, and removes the events of routes that no longer
 * exist.
 */
export function writeSampleEvents(): { total: number; written: number; removed: number } {
  mkdirSync(folder, { recursive: true });
  const before = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  const events = new Map(
    operationRegistry.flatMap((operation) =>
      operation.routes.map((route) => [`${route.operationId}.json`, toText(exampleEvent(operation, route))]),
    ),
  );
  const changed = [...events].filter(([file, text]) => before.get(file) !== text);
  const obsolete = [...before.keys()].filter((file) => !events.has(file));
  for (const [file, text] of changed) writeFileSync(join(folder, file), text);
  for (const file of obsolete) rmSync(join(folder, file));
  return { total: events.size, written: changed.length, removed: obsolete.length };
}
