import { notFound } from "../../shared/api/errors.ts";
import { deleteExport } from "../../shared/api/operations/exports.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { endExport } from "../../shared/domain/exports/endExport.ts";
import { toExport } from "../../shared/domain/exports/storedExport.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { exportBody } from "../../shared/http/exportResponse.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteExport, async ({ path }) => {
  const stores = { table: serviceTable(), bucket: serviceBucket() };
  const ended = await endExport(stores, path.crb_id, path.export_id, { status: "deleted", reason: "requested" });
  if (!ended) throw notFound("export");
  return { body: () => exportBody(toExport(ended)) };
});
