/** Dutchie writes 0 or a negative number for a missing id. */
export function isId(id: string | null): id is string {
  return id !== null && !/^-?0*$|^-/.test(id);
}
