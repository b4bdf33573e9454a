import { createHash } from "node:crypto";
import type { StatementContent } from "./statementContent.ts";
import { statementCsv } from "./statementCsv.ts";
import { statementHtml } from "./statementHtml.ts";
import type { StoredStatement } from "./storedStatement.ts";

/** A file of a statement before it is stored. */
interface RenderedFile {
  name: string;
  /** MIME type */
  type: string;
  bytes: Buffer;
  sha256: string;
}

/** The files of a statement. The first one has the content, and the others are made from it alone. */
export function renderStatement(
  content: StatementContent,
  { id, format }: Pick<StoredStatement, "id" | "format">,
): RenderedFile[] {
  const json = fileOf("statement.json", "application/json", `${JSON.stringify(content, null, 1)}\n`);
  if (format === "json") return [json];
  if (format === "csv") {
    return [json, ...statementCsv(content).map(({ name, text }) => fileOf(name, "text/csv; charset=utf-8", text))];
  }
  const page = statementHtml(content, { id, sha256: json.sha256 });
  return [json, fileOf("statement.html", "text/html; charset=utf-8", page)];
}

function fileOf(name: string, type: string, text: string): RenderedFile {
  const bytes = Buffer.from(text);
  return { name, type, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}
