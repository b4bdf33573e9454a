import type middy from "@middy/core";
import { recordCredentialUse } from "../auth/credentialUse.ts";
import { serviceTable } from "../store/client.ts";
import type { RequestContext } from "./requestContext.ts";

/** Records the day of use of the credential of a granted request, in parallel with the handler. */
export function credentialUse(): middy.MiddlewareObj<RequestContext> {
  const waitUntilRecorded = async ({ event }: middy.Request<RequestContext>) => {
    await event.useRecorded;
  };
  return {
    before: ({ event: call }) => {
      // Invited users have an invitation, and no credential.
      if (!call.principal || call.principal.owner.kind === "invitedUser") return;
      call.useRecorded = recordCredentialUse(serviceTable(), call.principal.clientId);
    },
    after: waitUntilRecorded,
    onError: waitUntilRecorded,
  };
}
