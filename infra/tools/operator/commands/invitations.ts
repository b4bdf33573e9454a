import { ServiceError } from "../../../../shared/api/errors.ts";
import { requestInvitations } from "../../../../shared/domain/invitations/invitationQueue.ts";
import { resendInvitations } from "../../../../shared/domain/invitations/resendInvitations.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { functionEnvironment } from "../../../local/environment.ts";
import { crbArgument } from "../arguments.ts";
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
      if (target.local) Object.assign(process.env, functionEnvironment(target.local.data, target.local.endpoints));
      else if (!process.env.INVITATION_QUEUE_URL)
        throw new StageError("Set INVITATION_QUEUE_URL: .deployed/NAME.env of the stage has it.");
      const { all, unsent } = await resendInvitations(target.table, crbId).catch((error) => {
        throw error instanceof ServiceError && error.kind === "throttled" ? new StageError(error.message) : error;
      });
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
