import { eraseCustomer } from "../../../shared/domain/replication/eraseCustomer.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { tellPeakMemory } from "./tellPeakMemory.ts";

// Erases a customer alone in its process. Prints the number of its sales and its peak memory.

const { crbId, customerId } = JSON.parse(process.argv[2] ?? "{}") as { crbId: string; customerId: string };
const { sales } = (await eraseCustomer(serviceTable(), crbId, customerId)) ?? {};
tellPeakMemory({ sales });
