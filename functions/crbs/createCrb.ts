import { createCrb } from "../../shared/api/operations/createCrb.ts";
import { createBusiness } from "../../shared/domain/crbs/createBusiness.ts";
import { creationIssues } from "../../shared/domain/crbs/creationIssues.ts";
import { queueCreationFollowUps } from "../../shared/domain/crbs/queueCreationFollowUps.ts";
import type { Bucket } from "../../shared/domain/documents/bucket.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { record } from "../../shared/http/handlerResult.ts";
import { limitPosChecks } from "../../shared/pos/posCheckLimit.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(
  createCrb,
  async ({ path, headers, body, principal }) => {
    const table = serviceTable();
    const limit = limitPosChecks(table, principal.clientId);
    const bucket = body.license_numbers && (await bucketOfLicenses());
    const request = {
      spId: path.sp_id,
      body,
      idempotencyKey: headers["idempotency-key"],
      createdBy: principal,
      limit,
      ...(bucket && { bucket }),
    };
    const { crbId, answer } = await createBusiness(table, request);
    await queueCreationFollowUps(crbId, body);
    return record(answer, "CRB");
  },
  (path, body) => creationIssues(serviceTable(), path.sp_id ?? "", body),
);

/** Loads the S3 client, which few requests need, from a separate chunk of the bundle. */
async function bucketOfLicenses(): Promise<Bucket> {
  const { serviceBucket } = await import("../../shared/domain/documents/bucket.ts");
  return serviceBucket();
}
