import { california } from "./california.ts";
import { colorado } from "./colorado.ts";
import { massachusetts } from "./massachusetts.ts";
import { massachusettsApproved } from "./massachusettsApproved.ts";
import { michigan } from "./michigan.ts";
import { newYork } from "./newYork.ts";
import type { RegisterLayout } from "./registerLayout.ts";

/** The layouts that an import recognizes by the first line of a file. */
export const layouts: readonly RegisterLayout[] = [
  california,
  colorado,
  massachusetts,
  massachusettsApproved,
  michigan,
  newYork,
];
