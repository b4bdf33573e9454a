import { listServiceProviderCrbs } from "../../shared/api/operations/serviceProviders.ts";
import { listCrbsByLicense } from "../../shared/domain/linkedLicenses/listCrbsByLicense.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { list } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { openCrbs } from "../../shared/store/crbs.ts";

export const handler = endpoint(listServiceProviderCrbs, async ({ path, query }) => {
  const { license_status: status, ...window } = query;
  const page = status
    ? await listCrbsByLicense(serviceTable(), path.sp_id, status, window)
    : await openCrbs(serviceTable(), path.sp_id, window);
  return list(page, window.offset);
});
