import { describeDedicatedIndexes } from "./describeDedicatedIndexes.ts";

describeDedicatedIndexes({ numRuns: 40, seeds: 20 });
