import { handler } from "../../../functions/inventory/listInventory.ts";
import { type Business, callOf } from "../data/business.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Runs the function of the inventory list alone in its process and calls it for one page after the other.

const { business } = JSON.parse(process.argv[2] ?? "{}") as { business: Business };
const call = callOf(handler, business, "/inventory", { query: { limit: 1_000, expand: "true" } });
for (let page = 0; page < 30; page++) await call();
tellPeakMemory();
