import type { PosProduct } from "../../posRecords.ts";

/** A product's images: those of the first list that has any; null without images. */
export function images(...lists: readonly (readonly (string | null)[])[]): PosProduct["images"] {
  const found = lists.map((urls) => urls.filter((url) => url !== null)).find((urls) => urls.length > 0);
  return found ? found.map((url) => ({ url, description: null })) : null;
}
