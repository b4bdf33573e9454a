import { Rejection, Unreachable } from "../../browser/failures.ts";
import type { Client } from "./client.ts";
import { saveFile } from "./saveFile.ts";

/** Files that a browser shows without running them, by the end of their name. */
const shown: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
};

/** The type of a file that a tab can show; undefined for files that are only saved. */
export function shownType(fileName: string): string | undefined {
  const end = fileName.slice(fileName.lastIndexOf(".") + 1);
  return Object.hasOwn(shown, end) ? shown[end] : undefined;
}

interface StoredFile {
  crb_id: string;
  doc_id: string;
}

async function read(client: Client, { crb_id, doc_id }: StoredFile): Promise<{ name: string; content: ArrayBuffer }> {
  const { file_link, file_name } = await client("getCrbDocumentDownload", { path: { crb_id, doc_id } });
  const response = await fetch(file_link, { cache: "no-store", credentials: "omit" }).catch(() => undefined);
  if (response && !response.ok) throw new Rejection(response.status, {});
  const content = await response?.arrayBuffer().catch(() => undefined);
  if (!content) throw new Unreachable();
  return { name: file_name, content };
}

/** Saves a document's file. */
export async function saveDocument(client: Client, file: StoredFile): Promise<void> {
  const { name, content } = await read(client, file);
  saveFile(name, new Blob([content]));
}

/**
 * Shows a document's file in a tab. The tab opens before the file is read, since browsers permit that only right after a
 * click. The address of the file holds until this page closes, so that the tab can load it again.
 *
 * @returns false if the browser opened no tab
 */
export async function showDocument(client: Client, file: StoredFile, type: string): Promise<boolean> {
  const tab = open("", "_blank");
  if (!tab) return false;
  try {
    const { content } = await read(client, file);
    tab.location.replace(URL.createObjectURL(new Blob([content], { type })));
    return true;
  } catch (failure) {
    tab.close();
    throw failure;
  }
}
