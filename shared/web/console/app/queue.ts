/** The address of an item of a queue, with the filters of the queue. @param path without the item's id */
export function addressOf(path: string, filters: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return `#${path}${set.length > 0 ? `?${new URLSearchParams(set)}` : ""}`;
}

/** The item after one: the following one, at the end the first other one. undefined if there is no other. */
export function nextAfter<Item>(items: readonly Item[], isChosen: (item: Item) => boolean): Item | undefined {
  const index = items.findIndex(isChosen);
  return items[index + 1] ?? items.find((item) => !isChosen(item));
}

/** A number with its noun, such as `1 day` or `9 days`. */
export const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : more}`;

/** How long something waits since an instant (ISO 8601), in full days. */
export function waitSince(date: string, now = Date.now()): string {
  const days = Math.floor((now - Date.parse(date)) / 86_400_000);
  return days < 1 ? "less than a day" : counted(days, "day", "days");
}
