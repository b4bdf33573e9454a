import { notFound } from "../../shared/api/errors.ts";
import { deleteExport } from "../../shared/api/operations/exports.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { endExport } from "../../shared/domain/exports/endExport.ts";
import { requestNextExport } from "../../shared/domain/exports/nextExport.ts";
import { toExport } from "../../shared/domain/exports/storedExport.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { exportBody } from "../../shared/http/exportResponse.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteExport, async ({ path }) => {
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const ended = await endExport(stores, path.crb_id, path.export_id, { status: "deleted", reason: "requested" });
  if (!ended) throw notFound("export");
  // The deleted export may have been the one for which the others of the service provider wait.
  await requestNextExport(stores.table, ended.sp_id);
  return { body: () => exportBody(toExport(ended)) };
});
