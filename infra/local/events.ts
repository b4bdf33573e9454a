import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { newProgram, parseOrExit } from "../cli/program.ts";
import { exampleEvent } from "./exampleEvent.ts";

parseOrExit(
  newProgram(
    "npm run events --",
    "Makes the sample events in events/ anew from the operation registry, and takes away those of routes that are no more.",
  ),
);

const folder = join(import.meta.dirname, "..", "..", "events");

/** As the formatter writes it: an array with one value stands in one line. */
const toText = (event: object): string =>
  `${JSON.stringify(event, null, 2).replace(/\[\n\s+("(?:\\.|[^"\\])*")\n\s+\]/g, "[$1]")}\n`;

mkdirSync(folder, { recursive: true });
const before = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
const events = new Map(
  operationRegistry.flatMap((operation) =>
    operation.routes.map((route) => [`${route.operationId}.json`, toText(exampleEvent(operation, route))]),
  ),
);
const changed = [...events].filter(([file, text]) => before.get(file) !== text);
const gone = [...before.keys()].filter((file) => !events.has(file));
for (const [file, text] of changed) writeFileSync(join(folder, file), text);
for (const file of gone) rmSync(join(folder, file));
process.stdout.write(`${events.size} events, of which ${changed.length} were written; ${gone.length} removed.\n`);
