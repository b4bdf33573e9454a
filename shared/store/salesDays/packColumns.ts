/** The bits that state the width of a column. */
const widthBits = 6;

/**
 * Packs rows of whole numbers by column, each after the width of its widest number: smaller than deflated JSON.
 *
 * @param rows numbers between -2^52 and 2^52; a shorter row ends with zeros
 */
export function packColumns(rows: readonly (readonly number[])[]): Uint8Array {
  let bits = "";
  const push = (value: number, width: number) => {
    if (width > 0) bits += value.toString(2).padStart(width, "0");
  };
  for (let column = 0; column < Math.max(0, ...rows.map(({ length }) => length)); column++) {
    const values = rows.map((row) => toUnsigned(row[column] ?? 0));
    const widest = Math.max(...values);
    const width = widest === 0 ? 0 : widest.toString(2).length;
    push(width, widthBits);
    for (const value of values) push(value, width);
  }
  const byteAt = (i: number) => Number.parseInt(bits.slice(8 * i, 8 * i + 8).padEnd(8, "0"), 2);
  return Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, i) => byteAt(i));
}

/** Reverses `packColumns`. @param rows their number; they may have more zeros at their end */
export function unpackColumns(packed: Uint8Array, rows: number): number[][] {
  const unpacked: number[][] = Array.from({ length: rows }, () => []);
  const bits = Array.from(packed, (byte) => byte.toString(2).padStart(8, "0")).join("");
  let position = 0;
  const pull = (width: number) => {
    position += width;
    return Number.parseInt(bits.slice(position - width, position) || "0", 2);
  };
  while (bits.length - position >= widthBits) {
    const width = pull(widthBits);
    for (const row of unpacked) row.push(fromUnsigned(pull(width)));
  }
  return unpacked;
}

/** Numbers near zero, of either sign, become small unsigned numbers. */
const toUnsigned = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number);

const fromUnsigned = (unsigned: number): number => (unsigned % 2 === 0 ? unsigned / 2 : -(unsigned + 1) / 2);
