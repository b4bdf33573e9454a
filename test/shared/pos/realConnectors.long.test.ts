import { describe, expect, test } from "vitest";
import { describeHistories } from "./describeHistories.ts";
import { describeRandomOrder } from "./describeRandomOrder.ts";
import { kindsOf, type PosName, posNames } from "./fakes/fakePos.ts";
import { FakePosUnderTest } from "./fakes/fakePosUnderTest.ts";
import { demoSize } from "./fakes/shop.ts";

describe.each(posNames)("%s", (name: PosName) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");

  describeHistories(name, fake, {
    minutesAhead: [-1380, -120, -20, 20, 120, 1380],
    changeSeeds: [1, 2, 3, 4, 5],
    faultSeeds: [11, 12, 13, 14],
  });
  describeRandomOrder(name, fake, { customers: 400, products: 400, packages: 400, sales: 600 });

  test("a demo-sized shop is read completely", async () => {
    await fake.restart("demo", demoSize);
    for (const kind of kindsOf(name)) {
      const { size } = await fake.afresh(kind);
      expect(size, kind).toBeGreaterThan(
        { customer: 1500, sale: 4000, location: 1, product: 300, inventory: 300 }[kind],
      );
    }
  });
});
