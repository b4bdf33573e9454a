import { handler } from "../../../../functions/serviceProviders/searchLicenses.ts";
import { tellPeakMemory } from "../../../bench/memory/tellPeakMemory.ts";
import { requestEvent, testContext } from "../../../requestEvent.ts";

// The function of the license search, alone in its process, answering one search after the other; tells their totals
// and its peak.

const { events } = JSON.parse(process.argv[2] ?? "{}") as { events: Parameters<typeof requestEvent>[0][] };
const totals: number[] = [];
for (let round = 0; round < 5; round++) {
  for (const event of events) {
    const { body } = await handler(requestEvent(event), testContext);
    // Parsed as a whole it would take more memory than the function.
    if (round === 0) totals.push(Number(/"total":(\d+)/.exec(body)?.[1]));
  }
}
tellPeakMemory({ totals });
process.exit();
