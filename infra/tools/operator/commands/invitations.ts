import { requestInvitations } from "../../../../shared/domain/invitations/invitationQueue.ts";
import { resendInvitations } from "../../../../shared/domain/invitations/resendInvitations.ts";
import { newProgram } from "../../../cli/program.ts";
import { crbArgument } from "../arguments.ts";
import { asStageError } from "../asStageError.ts";
import type { MakeCommand } from "../session.ts";
import { associatedCrbOf } from "./crbOf.ts";

export const resend: MakeCommand = (session) =>
  newProgram(
    "resend",
    "Sends the invitations of a CRB that are unsent or were abandoned. Invitations that were sent are not sent again.",
  )
    .addArgument(crbArgument())
    .action(async (crbId) => {
      const { target, print } = session;
      const { name } = (await associatedCrbOf(target.table, crbId)).record;
      target.provide("INVITATION_QUEUE_URL");
      const { all, unsent } = await asStageError(resendInvitations(target.table, crbId));
      if (unsent === 0) {
        print(all === 0 ? `No user was invited for ${name}.` : `All invitations of ${name} were sent.`);
        return;
      }
      const result = await requestInvitations(crbId).then(
        () => "They are now queued.",
        () => "They could not be queued; the schedule sends them within 35 minutes.",
      );
      print(`${unsent} of the ${all} invitations of ${name} are unsent. ${result}`);
    });
