import { notFound } from "../../shared/api/errors.ts";
import { getServiceProvider } from "../../shared/api/operations/serviceProviders.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { readServiceProvider } from "../../shared/store/crbs.ts";

export const handler = endpoint(getServiceProvider, async ({ path }) => {
  const serviceProvider = await readServiceProvider(serviceTable(), path.sp_id);
  if (!serviceProvider) throw notFound("service provider");
  return json(serviceProvider);
});
