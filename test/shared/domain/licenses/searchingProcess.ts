import { handler } from "../../../../functions/serviceProviders/searchLicenses.ts";
import { tellPeakMemory } from "../../../bench/memory/tellPeakMemory.ts";
import { requestEvent, testContext } from "../../../requestEvent.ts";

// Runs the function of the license search alone in a process, one search after the other. Prints the totals of the
// searches and the peak memory.

const { events } = JSON.parse(process.argv[2] ?? "{}") as { events: Parameters<typeof requestEvent>[0][] };
const totals: number[] = [];
for (let round = 0; round < 5; round++) {
  for (const event of events) {
    const { body } = await handler(requestEvent(event), testContext);
    // Parsing the whole body would take more memory than the function.
    if (round === 0) totals.push(Number(/"total":(\d+)/.exec(body)?.[1]));
  }
}
tellPeakMemory({ totals });
process.exit();
