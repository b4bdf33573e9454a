import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { exampleEvent } from "../../local/exampleEvent.ts";
import type { FileTexts } from "./committedFiles.ts";

/** JSON as the formatter writes it: an array with one value takes one line. */
const toText = (event: object): string =>
  `${JSON.stringify(event, null, 2).replace(/\[\n\s+("(?:\\.|[^"\\])*")\n\s+\]/g, "[$1]")}\n`;

/** A sample event for each route of the operation registry. */
export const sampleEvents = (): FileTexts =>
  new Map(
    operationRegistry.flatMap((operation) =>
      operation.routes.map((route) => [`events/${route.operationId}.json`, toText(exampleEvent(operation, route))]),
    ),
  );
