import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApi } from "../../../shared/api/openapi/openApi.ts";
import { StageError } from "../../cli/stageError.ts";
import { root } from "../../codegen/generatedFile.ts";
import type { Description } from "../description/breakingChanges.ts";
import { changesSinceReleases } from "../description/releases.ts";

/** The content of docs/openapi.json, generated from the operation registry. */
export const openApiText = (): string => `${JSON.stringify(openApi(), null, 2)}\n`;

/** Writes docs/openapi.json. @throws StageError after writing, if the description breaks callers of a release */
export function writeOpenApiDescription(): void {
  const text = openApiText();
  writeFileSync(join(root, "docs/openapi.json"), text);
  const description = JSON.parse(text) as Description;
  const broken = [...changesSinceReleases(description)].filter(([, changes]) => changes.length > 0);
  if (broken.length === 0) return;
  const lines = broken.flatMap(([release, changes]) => [
    `Breaks callers of ${release}:`,
    ...changes.map((change) => `  ${change}`),
  ]);
  throw new StageError(lines.join("\n"));
}
