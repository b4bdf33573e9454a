/** A position as text: day (yyyy-MM-dd) and sequence number. Texts sort by day, then by number. */
export const formatPosition = (day: string, slot: number): string => `${day}#${String(slot).padStart(8, "0")}`;

export const isPosition = (text: string): boolean => /^\d{4}-\d\d-\d\d#\d{8}$/.test(text);

export const lastSlot = 99_999_999;

export const parsePosition = (rank: string): { day: string; slot: number } => ({
  day: rank.slice(0, 10),
  slot: Number(rank.slice(11)),
});

/** A record's position among the records of one customer. These records have the same order as in the list. */
export const formatCustomerPosition = (customerId: string, rank: string): string => `${customerId}#${rank}`;

/** A position as a number, which takes 9 bytes in an index entry; the text takes 19. Numbers sort like the texts. */
export function positionToNumber(rank: string): number {
  const { day, slot } = parsePosition(rank);
  return Number(day.replaceAll("-", "")) * (lastSlot + 1) + slot;
}

/** Reverses `positionToNumber`. */
export function numberToPosition(number: number): string {
  const day = String(Math.floor(number / (lastSlot + 1))).replace(/(....)(..)(..)/, "$1-$2-$3");
  return formatPosition(day, number % (lastSlot + 1));
}
