/**
 * Makes a function that finds the meaning of a POS's status. It ignores letter case and separators: `PACKED_READY` and
 * `Packed ready` are the same status.
 *
 * @param table the comma-separated statuses of each meaning
 * @returns a function that returns null for a missing status and for a status that is not in the table; its caller then
 * rejects the row as `unknown_status`
 */
export function statusFinder<Meaning extends string>(table: Readonly<Record<Meaning, string>>) {
  const meanings = new Map<string, Meaning>();
  for (const [meaning, statuses] of Object.entries(table) as [Meaning, string][]) {
    for (const status of statuses.split(",")) meanings.set(plain(status), meaning);
  }
  return (status: string | null): Meaning | null => meanings.get(plain(status ?? "")) ?? null;
}

function plain(status: string): string {
  return status
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim();
}
