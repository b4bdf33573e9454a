import { describe, test } from "vitest";
import { expectOrder, names, others } from "./races.ts";

describe.concurrent.each(names)("%s with one late read", (one) => {
  test.each([one, ...others.filter((other) => other !== one)])(
    "during %s has the same result as one after the other",
    (other) => expectOrder(one, other),
  );
});
