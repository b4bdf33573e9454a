import { describe, test } from "vitest";
import { expectOrder, names, others } from "./races.ts";

describe.concurrent.each(names)("%s, a read of which comes late", (one) => {
  test.each(others.filter((other) => other !== one))(
    "while %s is done, is as if one had come after the other",
    (other) => expectOrder(one, other),
  );
});
