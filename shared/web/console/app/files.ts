import { csvCell } from "../../../text/csvCell.ts";
import { Rejection, Unreachable } from "../../browser/failures.ts";
import type { Client } from "./operations.ts";

/** A cell of a table: a text, or a number or null, which has no value. */
export type Cell = string | number | null;

/** A table as CSV. It begins with a byte order mark: without one, Excel takes its letters for those of another encoding. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("")}`;

/** Saves a file of the visitor. */
export function saveFile(name: string, ...parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Milliseconds in which a file is read. */
const timeoutMs = 300_000;

/** Reads a file by a link that was just signed. @throws Rejection or Unreachable */
export async function readStored(link: string): Promise<ArrayBuffer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(link, { cache: "no-store", credentials: "omit", signal }).catch(() => undefined);
  // Statuses of the store do not mean what those of the API do, such as 404 for a business.
  if (response && !response.ok) throw new Rejection(response.status < 500 ? 403 : response.status, {});
  const content = await response?.arrayBuffer().catch(() => undefined);
  if (!content) throw new Unreachable();
  return content;
}

/** The lines of JSON in a compressed file. */
export async function linesIn<Line>(compressed: ArrayBuffer): Promise<Line[]> {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const text = await new Response(stream).text();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** The type of a file that a tab shows without running it; undefined for files that are only saved. */
export function shownType(fileName: string): string | undefined {
  if (fileName.endsWith(".pdf")) return "application/pdf";
  const [, image] = /\.(png|jpe?g|gif)$/.exec(fileName) ?? [];
  return image && `image/${image.replace("jpg", "jpeg")}`;
}

/**
 * Shows a document's file in a tab if it has a type, otherwise saves it. The tab opens before the file is read, since
 * browsers permit that only right after a click; if they do not, the file is saved. The address of a shown file holds until
 * this page closes, so that the tab can load it again.
 */
export async function openDocument(
  client: Client,
  path: { crb_id: string; doc_id: string },
  type?: string,
): Promise<void> {
  const tab = type && open("", "_blank");
  try {
    const { file_link, file_name } = await client("getCrbDocumentDownload", { path });
    const content = await readStored(file_link);
    if (tab) tab.location.replace(URL.createObjectURL(new Blob([content], { type })));
    else saveFile(file_name, content);
  } catch (failure) {
    if (tab) tab.close();
    throw failure;
  }
}
