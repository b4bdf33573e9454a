import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { newProgram } from "../../../cli/program.ts";
import type { MakeCommand, Session } from "../session.ts";
import { accessLog } from "./accessLog.ts";
import { approve, end, pause, resume, sendBack } from "./associations.ts";
import { applyCopies } from "./copies.ts";
import { listCrbs } from "./crbs.ts";
import * as credentials from "./credentials.ts";
import { resend } from "./invitations.ts";
import { replay } from "./journal.ts";
import * as licenses from "./licenses.ts";
import * as lists from "./lists.ts";
import * as onboarding from "./onboarding.ts";
import * as payments from "./payments.ts";
import { check, connect, reconnect } from "./pos.ts";
import { due, purge } from "./purge.ts";
import * as records from "./records.ts";
import * as replication from "./replication.ts";
import { createServiceProvider, listProviders, removeServiceProvider } from "./serviceProviders.ts";
import { publish } from "./templates.ts";
import { upload } from "./upload.ts";
import { listDeliveries, listWebhooks } from "./webhooks.ts";

/** All commands of the operator, by group, in the order of the help. */
const groups: Readonly<Record<string, readonly MakeCommand[]>> = {
  "service-provider": [createServiceProvider, listProviders, removeServiceProvider],
  credential: [credentials.issue, credentials.list, credentials.revoke],
  crb: [listCrbs, due, purge],
  template: [publish],
  onboarding: [onboarding.show, onboarding.useFiles, approve, sendBack],
  invitation: [resend],
  association: [pause, resume, end],
  pos: [connect, reconnect, check],
  replication: [replication.start, replication.state, replication.list, replication.rejected],
  payments: [payments.names],
  record: [records.show],
  licenses: [licenses.lapsed],
  lists: [lists.check, lists.rebuild],
  customer: [records.erase],
  webhooks: [listWebhooks, listDeliveries],
  copies: [applyCopies],
  journal: [replay],
};

export const operatorCommands = (session: Session): CommandUnknownOpts[] => [
  ...Object.entries(groups).map(([name, commands]) => {
    const group = newProgram(name);
    for (const command of commands) group.addCommand(command(session));
    return group;
  }),
  upload(session),
  accessLog(session),
];
