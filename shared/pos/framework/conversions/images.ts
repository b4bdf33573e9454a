import type { PosProduct } from "../../posRecords.ts";

/** Returns the images of the first list that is not empty; null if all lists are empty. */
export function images(...lists: readonly (readonly (string | null)[])[]): PosProduct["images"] {
  const found = lists.map((urls) => urls.filter((url) => url !== null)).find((urls) => urls.length > 0);
  return found ? found.map((url) => ({ url, description: null })) : null;
}
