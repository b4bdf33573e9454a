import { json } from "node:stream/consumers";
import { handler } from "../../../functions/onboarding/addRequirementDocument.ts";
import { requestEvent, testContext } from "../../requestEvent.ts";

// A process that does nothing but add the largest document a few times; prints the answers' statuses and its peak.

const { path, authorization } = (await json(process.stdin)) as { path: Record<string, string>; authorization: string };
const statuses: number[] = [];
for (let i = 0; i < 3; i++) {
  const base64 = Buffer.alloc(5_242_880, `document ${i} `).toString("base64");
  const body = JSON.stringify({ file_name: "large.txt", file_type: "text/plain", base64 });
  const resource =
    "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents";
  const answer = await handler(requestEvent({ resource, method: "PUT", path, authorization, body }), testContext);
  statuses.push(answer.statusCode);
}
process.stdout.write(JSON.stringify({ statuses, peak: process.resourceUsage().maxRSS * 1024 }));
process.exit();
