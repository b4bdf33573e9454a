import { openApi } from "../../../shared/api/openapi/openApi.ts";
import { StageError } from "../../cli/stageError.ts";
import { jsonText } from "../../codegen/jsonText.ts";
import type { Description } from "../description/breakingChanges.ts";
import { changesSinceReleases } from "../description/releases.ts";
import type { FileTexts } from "./committedFiles.ts";

/** The content of docs/openapi.json, generated from the operation registry. */
export const openApiText = (): string => jsonText(openApi());

export const openApiFiles = (): FileTexts => new Map([["docs/openapi.json", openApiText()]]);

/** @throws StageError if the description breaks callers of a release */
export function requireCompatibleDescription(): void {
  const description = JSON.parse(openApiText()) as Description;
  const broken = [...changesSinceReleases(description)].filter(([, changes]) => changes.length > 0);
  if (broken.length === 0) return;
  const lines = broken.flatMap(([release, changes]) => [
    `Breaks callers of ${release}:`,
    ...changes.map((change) => `  ${change}`),
  ]);
  throw new StageError(lines.join("\n"));
}
