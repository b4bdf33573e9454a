import type middy from "@middy/core";
import { recordCredentialUse } from "../auth/credentialUse.ts";
import { serviceTable } from "../store/client.ts";
import type { RequestContext } from "./requestContext.ts";

/** Records the day on which a request's credential is used, in parallel with the handler. */
export function credentialUse(): middy.MiddlewareObj<RequestContext> {
  const waitUntilRecorded = async ({ event }: middy.Request<RequestContext>) => {
    await event.useRecorded;
  };
  return {
    before: ({ event: call }) => {
      // Invited users have an invitation instead of a credential.
      if (!call.principal || call.principal.owner.kind === "invitedUser") return;
      call.useRecorded = recordCredentialUse(serviceTable(), call.principal.clientId);
    },
    after: waitUntilRecorded,
    onError: waitUntilRecorded,
  };
}
