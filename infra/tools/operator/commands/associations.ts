import { type CrbStatus, crbStatuses } from "../../../../shared/api/enumerations.ts";
import { ServiceError } from "../../../../shared/api/errors.ts";
import { endAssociationJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { moveOnboarding } from "../../../../shared/domain/onboarding/statusChange.ts";
import { type CrbMove, moveCrb } from "../../../../shared/domain/statuses/crbStatus.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { crbArgument } from "../arguments.ts";
import type { MakeCommand, Session } from "../session.ts";
import { associatedCrbOf, crbOf, noCrb } from "./crbOf.ts";

/** A command that moves a CRB from one status to another (docs/spec.md#crb-status). */
const moveCommand =
  (name: string, move: CrbMove, description: string, question?: (crb: string) => string): MakeCommand =>
  (session) =>
    newProgram(name, description)
      .addArgument(crbArgument())
      .action((crbId) => moveTo(session, crbId, move, question));

async function moveTo(
  { target, print, confirm }: Session,
  crbId: string,
  move: CrbMove,
  question: ((crb: string) => string) | undefined,
): Promise<void> {
  const { name, status } = (await associatedCrbOf(target.table, crbId)).record;
  const rejection = (from: CrbStatus) => new StageError(`${name} is ${from}${reasonOf(from, move)}.`);
  if (!moveCrb(status, move)) throw rejection(status);
  if (question) await confirm(question(name));
  const moved = await moveOnboarding(target.table, crbId, move).catch((error) => {
    if (error instanceof ServiceError && error.kind === "conflict") throw new StageError(`${name}: ${error.message}`);
    if (!(error instanceof ServiceError && error.kind === "notFound")) throw error;
    const ended = `The association of ${name} has ended in the meantime: its status can no longer change.`;
    throw new StageError(`${ended} Its service provider can create a new CRB (createCrb).`);
  });
  // A concurrent command may have moved the CRB.
  if (!moved?.to) throw rejection(moved?.from ?? status);
  print(`${name}: ${moved.from} -> ${moved.to}`);
}

/** The reason why a CRB in this status cannot be moved. */
function reasonOf(status: CrbStatus, move: CrbMove): string {
  const movable = crbStatuses.filter((each) => moveCrb(each, move));
  const isThere = movable.some((each) => moveCrb(each, move) === status);
  return isThere ? " already" : `: this command requires the status ${movable.join(" or ")}`;
}

export const pause = moveCommand(
  "pause",
  "pause",
  "Pauses the association of a CRB, which leaves its service provider's review. The CRB stays readable.",
  (crb) => `Pause ${crb}? Its current status is lost.`,
);

export const resume = moveCommand(
  "resume",
  "resume",
  "Resumes the association of a paused CRB, with the status bank_pending.",
);

export const approve = moveCommand(
  "approve",
  "approve",
  "Approves a CRB that awaits the operator's review. If its users were invited to connect the POS, their consent is required.",
);

export const sendBack = moveCommand(
  "send-back",
  "sendBack",
  "Sends a CRB that awaits the operator's review back to its users.",
);

export const end: MakeCommand = (session) =>
  newProgram(
    "end",
    "Ends the association of a CRB with its service provider, and with it the CRB's credentials, its POS connection and all links to its documents.",
  )
    .addArgument(crbArgument())
    .action(async (crbId) => {
      const { target, print, confirm } = session;
      const { record, serviceProviderId } = await crbOf(target.table, crbId);
      const documents = target.documents();
      await confirm(
        `End the association of ${record.name} with service provider ${serviceProviderId}? This cannot be undone.`,
      );
      const result = await endAssociationJournaled({ table: target.table, bucket: documents }, crbId);
      if (!result) throw noCrb(crbId);
      print(
        result.ended
          ? `Ended the association of ${record.name}.`
          : `The association of ${record.name} had already ended.`,
        `Revoked ${result.revoked.length} of its credentials.`,
        `Ended its upload links (${result.links.uploads} open) and the download links of its documents (${result.links.documents}).`,
      );
    });
