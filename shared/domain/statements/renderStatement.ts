import type { StatementContent } from "./statementContent.ts";
import type { StoredStatement } from "./storedStatement.ts";

/** A file of a statement before it is stored. */
interface RenderedFile {
  name: string;
  /** MIME type */
  type: string;
  text: string;
}

/** The files of a statement. The first one has the content, and the others are made from it alone. */
export function renderStatement(
  content: StatementContent,
  _statement: Pick<StoredStatement, "id" | "format">,
): RenderedFile[] {
  return [{ name: "statement.json", type: "application/json", text: `${JSON.stringify(content, null, 1)}\n` }];
}
