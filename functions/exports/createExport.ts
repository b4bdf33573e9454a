import { createExport } from "../../shared/api/operations/exports.ts";
import { createExport as create } from "../../shared/domain/exports/createExport.ts";
import { requestNextExport } from "../../shared/domain/exports/nextExport.ts";
import { toExport } from "../../shared/domain/exports/storedExport.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { exportBody } from "../../shared/http/exportResponse.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(createExport, async ({ path, headers, body, principal }) => {
  const stored = await create(serviceTable(), {
    spId: path.sp_id,
    crbId: path.crb_id,
    body,
    idempotencyKey: headers["idempotency-key"],
    createdBy: principal,
  });
  if (stored.status === "queued") await requestNextExport(serviceTable(), path.sp_id);
  return { body: () => exportBody(toExport(stored)) };
});
