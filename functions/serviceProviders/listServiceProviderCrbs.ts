import { listServiceProviderCrbs } from "../../shared/api/operations/serviceProviders.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { openCrbs } from "../../shared/store/crbs.ts";

export const handler = endpoint(listServiceProviderCrbs, async ({ path, query }) => {
  const { license_status: status, ...window } = query;
  return list(await openCrbs(serviceTable(), path.sp_id, window, status), window.offset);
});
