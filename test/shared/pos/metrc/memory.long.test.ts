import { expect, test } from "vitest";
import { peakMemoryOf } from "../../../bench/memory/peakMemory.ts";

const program = new URL("../../../bench/memory/stateDaysWorker.ts", import.meta.url);
const [days, perDay] = [25, 40_000];

test("a million receipts are read below 256 MB", async () => {
  const { peak, ...read } = await peakMemoryOf(program, { days, perDay });
  expect(read).toMatchObject({ receipts: days * perDay, total: days * perDay * 1_250, complete: days });
  expect(peak).toBeLessThan(256 * 1024 * 1024);
}, 900_000);
