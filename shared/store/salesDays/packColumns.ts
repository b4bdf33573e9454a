/** The bits that state the width of a column. */
const widthBits = 6;

/**
 * Packs rows of whole numbers by column, which begins with the width in bits of its widest number: smaller than deflated
 * JSON.
 *
 * @param rows numbers between -2^52 and 2^52; a shorter row ends with zeros
 */
export function packColumns(rows: readonly (readonly number[])[]): Uint8Array {
  const columns = Math.max(0, ...rows.map(({ length }) => length));
  const bits: number[] = [];
  const push = (value: number, width: number) => {
    for (let i = width - 1; i >= 0; i--) bits.push(Math.floor(value / 2 ** i) % 2);
  };
  for (let column = 0; column < columns; column++) {
    const values = rows.map((row) => toUnsigned(row[column] ?? 0));
    const width = widthOf(Math.max(...values));
    push(width, widthBits);
    for (const value of values) push(value, width);
  }
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [i, bit] of bits.entries()) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (bit << (7 - (i & 7)));
  return bytes;
}

/** Reverses `packColumns`. @param rows their number; they may have more zeros at their end */
export function unpackColumns(packed: Uint8Array, rows: number): number[][] {
  const unpacked: number[][] = Array.from({ length: rows }, () => []);
  let position = 0;
  const pull = (width: number): number => {
    let value = 0;
    for (const end = position + width; position < end; position++) {
      value = 2 * value + (((packed[position >> 3] ?? 0) >> (7 - (position & 7))) & 1);
    }
    return value;
  };
  while (packed.length * 8 - position >= widthBits) {
    const width = pull(widthBits);
    for (const row of unpacked) row.push(fromUnsigned(pull(width)));
  }
  return unpacked;
}

/** Numbers near zero, of either sign, become small unsigned numbers. */
const toUnsigned = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number);

const fromUnsigned = (unsigned: number): number => (unsigned % 2 === 0 ? unsigned / 2 : -(unsigned + 1) / 2);

function widthOf(unsigned: number): number {
  let width = 0;
  while (2 ** width <= unsigned) width++;
  return width;
}
