import { describe, expect, test } from "vitest";
import { recordKinds as kinds } from "../../../shared/kinds.ts";
import { type PosName, posNames } from "./fakes/fakePos.ts";
import { FakePosUnderTest } from "./fakes/fakePosUnderTest.ts";
import { demoSize } from "./fakes/shop.ts";

describe.each(posNames)("%s", (name: PosName) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");

  test("a demo-sized shop is read in a few seconds", async () => {
    const demo = await fake.start("demo", demoSize);
    try {
      const counts = [];
      for (const kind of kinds) counts.push((await fake.puller(kind, demo).pull(fake.now)).records.size);
      expect(counts[2]).toBeGreaterThan(1500);
      expect(counts[4]).toBeGreaterThan(4000);
    } finally {
      await demo.server.close();
    }
  });
});
