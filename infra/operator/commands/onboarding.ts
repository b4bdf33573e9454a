import { readInvitations } from "../../../shared/invitations/invitations.ts";
import type { Crb } from "../../../shared/table/crb.ts";
import { changeCrb } from "../../../shared/table/crbs.ts";
import { StageError } from "../../local/stageError.ts";
import type { Command } from "../command.ts";
import { columns } from "../terminal.ts";
import { associatedCrbOf, crbOf } from "./crbOf.ts";

export const show: Command = {
  name: "onboarding show",
  parameters: ["CRB_ID"],
  summary: "Shows where the onboarding of a CRB stands: its status, its POS, and who has given or withdrawn consent.",
  async run({ target, print }, [crbId = ""]) {
    const crb = await crbOf(target.table, crbId);
    const invitations = await readInvitations(target.table, crbId);
    const userOf = (id: string | undefined) => {
      const user = invitations.find((invitation) => invitation.id === id);
      return user ? `${user.firstName} ${user.lastName} <${user.email}>` : "somebody not invited any more";
    };
    const { record, connection, consent, withdrawal } = crb;
    const config = record.pos_configs.find(({ name }) => name === connection?.posType);
    print(
      ...columns(
        ["", record.name],
        [
          ["status", record.status],
          ["pos", config ? `${config.name}: ${config.status}` : posWordOf(crb)],
          ["invited", String(invitations.length)],
          [
            "consent",
            consent ? `${consent.date} by ${userOf(consent.givenBy)}, terms ${consent.termsVersion}` : "none",
          ],
          ...(withdrawal ? [["withdrawn", `${withdrawal.date} by ${userOf(withdrawal.by)}`]] : []),
        ],
      ),
    );
  },
};

const posWordOf = ({ usesFiles }: Crb): string => (usesFiles ? "none: files are used" : "none");

export const useFiles: Command = {
  name: "onboarding use-files",
  parameters: ["CRB_ID"],
  options: { undo: { meaning: "takes the word back" } },
  summary: "Lets the users of a CRB submit without a connected POS, because its records come as files.",
  async run({ target, print }, [crbId = ""], { undo }) {
    const { name } = (await associatedCrbOf(target.table, crbId)).record;
    const change = ({ usesFiles, ...crb }: Crb): Crb => (undo ? crb : { ...crb, usesFiles: true });
    if (!(await changeCrb(target.table, crbId, change))) throw new StageError(`There is no CRB ${crbId}.`);
    print(undo ? `${name} is to connect its POS.` : `${name} needs no POS: its records come as files.`);
  },
};
