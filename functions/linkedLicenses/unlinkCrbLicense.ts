import { unlinkCrbLicense } from "../../shared/api/operations/linkedLicenses.ts";
import { unlinkLicense } from "../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(unlinkCrbLicense, async ({ path }) => {
  const names = { spId: path.sp_id, crbId: path.crb_id, licenseId: path.license_id };
  return json(await unlinkLicense(serviceTable(), names));
});
