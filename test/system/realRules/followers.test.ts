import { test } from "vitest";
import { isThorough } from "../../thorough.ts";
import { expectFollowers } from "./expectFollowers.ts";

test(
  "readers who follow a list during writes, over New Year and for a year, with lagging indexes, end with the current records",
  () => expectFollowers(isThorough ? 30 : 2),
  1_800_000,
);
