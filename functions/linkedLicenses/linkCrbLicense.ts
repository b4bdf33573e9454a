import { linkCrbLicense } from "../../shared/api/operations/linkedLicenses.ts";
import { toPerson } from "../../shared/api/schemas/person.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { linkLicense } from "../../shared/domain/linkedLicenses/linkLicense.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(linkCrbLicense, async ({ path, principal }) => {
  const by = { kind: "service_provider", id: principal.clientId, person: toPerson(principal.person) } as const;
  const link = { spId: path.sp_id, crbId: path.crb_id, licenseId: path.license_id, by };
  return json(await linkLicense({ table: serviceTable(), bucket: serviceBucket() }, link));
});
