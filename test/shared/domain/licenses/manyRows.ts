import type { FileRow } from "../../../../shared/domain/licenses/readFileLicenses.ts";
import { awkwardNames } from "./hostileNames.ts";
import { fileRows } from "./registerFile.ts";

/**
 * Every other row of `count`, from `first` on (0 or 1), in random order: two registers with different names. One row in
 * twenty-five, scattered over the list, is a "Leaf".
 */
export function* manyRows({ first, count }: { first: number; count: number }): Generator<FileRow> {
  const names = awkwardNames.filter((name) => !/[\p{Cc}\u2028]/u.test(name));
  const mixed = (number: number, factor: number) => (Math.imul(number + 1, factor) >>> 7) & 0xffff;
  const word = (number: number) => Buffer.from(String((number * 7_919_317) % 10 ** 9)).toString("base64url");
  for (let i = first; i < count; i += 2) {
    const leaf = mixed(i, 0x9e3779b1) % 25 === 0 ? "Leaf" : "";
    const many = i % 1_000 === 0 ? Array.from({ length: 1_400 }, (_, j) => (i + j).toString(36)).join(" ") : "";
    const updated = new Date(Date.UTC(2026, 0, 1) - mixed(i, 0x85ebca6b) * 311_000).toISOString();
    const [row] = fileRows([
      {
        licensee: `Green ${leaf} ${names[i % names.length]} ${word(i)} ${word(i + 7)} LLC`,
        license_identifier: `402R-${i}`,
        locality: word(i % 500),
        businesses: `Green ${word(i + 11)}; ${names[i % 7]}; ${many.slice(0, 9_000)}`,
        individuals: `${word(i + 13)} ${word(i + 17)}`,
        reported_license_type_description: i % 20 === 0 ? "Storage" : "Cultivation",
        address_street: `${i} Main Street`,
        issued_at: "2020-05-01",
        updated_at: updated,
      },
    ]);
    if (row) yield { ...row, line: i };
  }
}
