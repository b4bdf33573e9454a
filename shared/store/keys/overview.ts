import { type Key, key, ofProvider } from "./key.ts";

/** The rows of a service provider's overview, and the time of the last sweep that has compared all of them. */
export const overviewPartition = (spId: string): string => ofProvider(spId, "OVERVIEW");

/** The figures of a CRB in the overview of its service provider. */
export const overviewKey = (spId: string, crbId: string): Key => key(overviewPartition(spId), crbId);

/** The last sweep that has compared all rows of a service provider. */
export const overviewSweptKey = (spId: string): Key => key(overviewPartition(spId), "SWEPT");
