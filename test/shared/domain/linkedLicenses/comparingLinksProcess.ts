import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { compareLinkedLicenses } from "../../../../shared/domain/linkedLicenses/compareLinkedLicenses.ts";
import { serviceTable } from "../../../../shared/store/client.ts";
import { tellPeakMemory } from "../../../bench/memory/tellPeakMemory.ts";

// Compares all linked licenses, alone in a process. Prints the result and the peak memory.

const compared = await compareLinkedLicenses({ table: serviceTable(), bucket: serviceBucket() });
tellPeakMemory({ compared });
process.exit();
