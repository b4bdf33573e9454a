import { handler } from "../../../functions/onboarding/addRequirementDocument.ts";
import { tellPeakMemory } from "../../bench/memory/tellPeakMemory.ts";
import { requestEvent, testContext } from "../../requestEvent.ts";

// Runs the function that adds documents alone in its process, with several documents of the largest size. Prints the statuses
// of the responses and its peak memory.

const { path, authorization } = JSON.parse(process.argv[2] ?? "{}") as {
  path: Record<string, string>;
  authorization: string;
};
const resource = "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents";
const statuses: number[] = [];
for (let i = 0; i < 3; i++) {
  const base64 = Buffer.alloc(5_242_880, `document ${i} `).toString("base64");
  const body = JSON.stringify({ file_name: "large.txt", file_type: "text/plain", base64 });
  const answer = await handler(requestEvent({ resource, method: "PUT", path, authorization, body }), testContext);
  statuses.push(answer.statusCode);
}
tellPeakMemory({ statuses });
process.exit();
