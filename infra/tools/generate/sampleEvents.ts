import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { jsonText } from "../../codegen/jsonText.ts";
import { exampleEvent } from "../../local/exampleEvent.ts";
import type { FileTexts } from "./committedFiles.ts";

/** A sample event for each route of the operation registry. */
export const sampleEvents = (): FileTexts =>
  new Map(
    operationRegistry.flatMap((operation) =>
      operation.routes.map((route) => [`events/${route.operationId}.json`, jsonText(exampleEvent(operation, route))]),
    ),
  );
