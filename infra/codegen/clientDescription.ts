import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./generatedFile.ts";
import type { Schema } from "./pythonModels.ts";

/** The API's description, from the project's root. */
export const description = "docs/openapi.json";

interface Description<Paths> {
  paths: Paths;
  components: { schemas: Record<string, Schema> };
}

/**
 * Reads the API's description for the clients. In their types, events are the union of the known types of events, so that a
 * comparison of `type` narrows `data`. In the description, a feed has events of any type, so that generated clients accept the
 * types of later releases; the types of these clients check nothing at run time.
 */
export function clientDescription<Paths>(revive?: (key: string, value: unknown) => unknown): Description<Paths> {
  const read = JSON.parse(readFileSync(join(root, description), "utf8"), revive) as Description<Paths>;
  const { TypedEvent, ...schemas } = read.components.schemas;
  const { oneOf = [], description: text = "" } = TypedEvent ?? {};
  schemas.Event = { description: `${text}. A type that this version does not know may come`, oneOf };
  const references = JSON.stringify({ ...read, components: { ...read.components, schemas } });
  return JSON.parse(references.replaceAll("#/components/schemas/TypedEvent", "#/components/schemas/Event"));
}
