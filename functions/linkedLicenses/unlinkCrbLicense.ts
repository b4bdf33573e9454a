import { unlinkCrbLicense } from "../../shared/api/operations/linkedLicenses.ts";
import { unlinkLicense } from "../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(unlinkCrbLicense, async ({ path, principal }) => {
  const by = { kind: "service_provider", id: principal.clientId } as const;
  const link = { spId: path.sp_id, crbId: path.crb_id, licenseId: path.license_id, by };
  return json(await unlinkLicense(serviceTable(), link));
});
