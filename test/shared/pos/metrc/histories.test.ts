import { afterEach, expect, test } from "vitest";
import { sampleCases } from "../../../thorough.ts";
import { History } from "./history.ts";

let history: History | undefined;
afterEach(() => history?.metrc.close());

const seeds = sampleCases(
  Array.from({ length: 200 }, (_, index) => index + 1),
  2,
);

test.each(seeds)("seed %i: days end equal to the state's totals after failures and changes", async (seed) => {
  history = new History(seed);
  await history.metrc.start();
  history.metrc.fill(40, 12);
  const isCut = seed % 4 === 0;
  history.disturb(isCut ? 2 : 0);
  for (let run = 0; run < 8; run++) {
    await history.run();
    history.trade(9 + (seed % 17), 12);
    if (isCut) history.metrc.moveSale();
  }
  history.calm();
  // A reading of everything again is needed only for receipts that the state left out or moved to another day.
  for (let run = 0; run < (isCut ? 3 : 2); run++) {
    history.trade(2, 2);
    await history.run(isCut);
  }
  expect(history.differences()).toEqual([]);
  expect(history.texts.join("\n")).not.toMatch(/planted|user\/key|vendor\+key/i);
});
