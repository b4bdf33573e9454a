import { handler as listInventory } from "../../../../functions/inventory/listInventory.ts";
import { handler as searchLicenses } from "../../../../functions/serviceProviders/searchLicenses.ts";
import { compare } from "../../../bench/compare.ts";
import { tellPeakMemory } from "../../../bench/memory/tellPeakMemory.ts";
import { requestEvent, testContext } from "../../../requestEvent.ts";

// Runs the inventory list and the license search in a process of their own. Prints how many times as long as a page of
// inventory each search takes.

type Request = Parameters<typeof requestEvent>[0];
const { ordinary, searches } = JSON.parse(process.argv[2] ?? "{}") as {
  ordinary: Request;
  searches: Record<string, Request>;
};
const inventory = requestEvent(ordinary);
const calls: Record<string, () => Promise<unknown>> = { ordinary: () => listInventory(inventory, testContext) };
for (const [name, request] of Object.entries(searches)) {
  const event = requestEvent(request);
  calls[name] = () => searchLicenses(event, testContext);
}
const { ratio } = await compare(calls, { rounds: 21 });
tellPeakMemory({ ratios: Object.fromEntries(Object.keys(searches).map((name) => [name, ratio(name, "ordinary")])) });
process.exit();
