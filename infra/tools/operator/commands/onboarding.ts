import { type Invitation, readInvitations } from "../../../../shared/domain/invitations/invitations.ts";
import type { Crb } from "../../../../shared/store/crb.ts";
import { changeCrb } from "../../../../shared/store/crbs.ts";
import { newProgram } from "../../../cli/program.ts";
import { writeJson } from "../../../local/prettyJson.ts";
import { crbArgument } from "../arguments.ts";
import type { MakeCommand } from "../session.ts";
import { jsonOption } from "../table.ts";
import { facts, title } from "../terminal.ts";
import { associatedCrbOf, crbOf, noCrb } from "./crbOf.ts";

export const show: MakeCommand = (session) =>
  newProgram(
    "show",
    "Shows the state of the onboarding of a CRB: its status, its POS, and who gave or withdrew consent.",
  )
    .addArgument(crbArgument())
    .addOption(jsonOption())
    .action(async (crbId, { json }) => {
      const { table } = session.target;
      const shown = toShown(await crbOf(table, crbId), await readInvitations(table, crbId));
      if (json) writeJson(session.stdout, shown);
      else session.print(title(shown.name), ...facts(factsOf(shown)));
    });

function toShown({ record, connection, consent, withdrawal, usesFiles }: Crb, invitations: readonly Invitation[]) {
  const userOf = (id: string | undefined) => {
    const user = invitations.find((invitation) => invitation.id === id);
    return user ? `${user.firstName} ${user.lastName} <${user.email}>` : null;
  };
  const config = record.pos_configs.find(({ name }) => name === connection?.posType);
  return {
    crb_id: record.id,
    name: record.name,
    status: record.status,
    pos_type: config?.name ?? null,
    pos_status: config?.status ?? null,
    uses_files: usesFiles === true,
    invited: invitations.length,
    consent: consent
      ? { date: consent.date, user: userOf(consent.givenBy), terms_version: consent.termsVersion }
      : null,
    withdrawal: withdrawal ? { date: withdrawal.date, user: userOf(withdrawal.by) } : null,
  };
}

function factsOf({
  status,
  pos_type,
  pos_status,
  uses_files,
  invited,
  consent,
  withdrawal,
}: ReturnType<typeof toShown>) {
  const by = (user: string | null) => user ?? "a user whose invitation no longer exists";
  return {
    status,
    pos: pos_type === null ? `none${uses_files ? ": files are used" : ""}` : `${pos_type}: ${pos_status}`,
    invited,
    consent: consent ? `${consent.date} by ${by(consent.user)}, terms ${consent.terms_version}` : "none",
    ...(withdrawal && { withdrawn: `${withdrawal.date} by ${by(withdrawal.user)}` }),
  };
}

export const useFiles: MakeCommand = (session) =>
  newProgram(
    "use-files",
    "Allows the users of a CRB to submit without a connected POS, because its records come as files.",
  )
    .addArgument(crbArgument())
    .option("--undo", "requires a connected POS again")
    .action(async (crbId, { undo }) => {
      const { target, print } = session;
      const { name } = (await associatedCrbOf(target.table, crbId)).record;
      const change = ({ usesFiles, ...crb }: Crb): Crb => (undo ? crb : { ...crb, usesFiles: true });
      if (!(await changeCrb(target.table, crbId, change))) throw noCrb(crbId);
      print(
        undo
          ? `${name} must connect its POS before it can submit.`
          : `${name} can submit without a POS: its records come as files.`,
      );
    });
