import { test } from "vitest";
import { expectFollowers } from "./expectFollowers.ts";

test("readers who follow a list during writes, over New Year and for a year, with lagging indexes, end with the current records", () =>
  expectFollowers(4));
