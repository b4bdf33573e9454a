/** Characters of a line. */
const width = 120;

/** JSON in few lines: an object or an array takes one line if it fits. Otherwise its short rows share lines. */
export const jsonText = (value: object): string => `${textOf(value, "", 0)}\n`;

/**
 * @param indent the spaces before the line
 * @param used the characters of the line before the value, in addition to `indent`
 */
function textOf(value: unknown, indent: string, used: number): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const rows = Array.isArray(value)
    ? value.map((each) => textOf(each, inner, 0))
    : Object.entries(value).flatMap(([name, each]) =>
        each === undefined ? [] : `${JSON.stringify(name)}: ${textOf(each, inner, name.length + 4)}`,
      );
  const line = rows.join(", ");
  const spaced = Array.isArray(value) || rows.length === 0 ? line : ` ${line} `;
  // Two brackets, and a comma that may follow.
  if (!line.includes("\n") && indent.length + used + spaced.length + 3 <= width) return open + spaced + close;
  const lines = rows.reduce<string[]>((filled, row) => {
    const last = filled.at(-1);
    const shared = `${last}, ${row}`;
    if (last === undefined || shared.includes("\n") || inner.length + shared.length + 1 > width) filled.push(row);
    else filled.splice(-1, 1, shared);
    return filled;
  }, []);
  return `${open}\n${lines.map((each) => inner + each).join(",\n")}\n${indent}${close}`;
}
