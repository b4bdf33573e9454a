import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { newProgram } from "../../../cli/program.ts";
import type { MakeCommand, Session } from "../session.ts";
import { accessLog } from "./accessLog.ts";
import { approve, end, pause, resume, sendBack } from "./associations.ts";
import { applyCopies } from "./copies.ts";
import { listCrbs } from "./crbs.ts";
import * as credentials from "./credentials.ts";
import { listDeadLetters, showDeadLetters } from "./deadLetters.ts";
import * as identityProviders from "./identityProviders.ts";
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
import * as restorations from "./restorations.ts";
import { createServiceProvider, listProviders, removeServiceProvider } from "./serviceProviders.ts";
import { status } from "./status.ts";
import { publish } from "./templates.ts";
import { upload } from "./upload.ts";
import { listDeliveries, listWebhooks } from "./webhooks.ts";

type Groups = Readonly<Record<string, MakeCommand | readonly MakeCommand[]>>;

/** All commands of the operator, by subject and group, in the order of the help. */
const subjects: Readonly<Record<string, Groups>> = {
  Overview: { status },
  "Service providers": {
    "service-provider": [createServiceProvider, listProviders, removeServiceProvider],
    credential: [credentials.issue, credentials.list, credentials.restrict, credentials.setKeys, credentials.revoke],
    "identity-provider": [identityProviders.set, identityProviders.show, identityProviders.remove],
    person: [identityProviders.revokePerson, identityProviders.permit, identityProviders.listPersons],
    template: [publish],
    webhooks: [listWebhooks, listDeliveries],
    "access-log": accessLog,
  },
  "Businesses (CRBs)": {
    crb: [listCrbs, due, purge],
    onboarding: [onboarding.show, onboarding.useFiles, approve, sendBack],
    invitation: [resend],
    association: [pause, resume, end],
    licenses: [licenses.lapsed],
  },
  "Points of sale and records": {
    pos: [connect, reconnect, check],
    replication: [
      replication.start,
      replication.state,
      replication.list,
      replication.rejected,
      replication.recheckSales,
    ],
    upload,
    record: [records.show],
    customer: [records.erase],
    payments: [payments.names],
  },
  Repair: {
    "dead-letters": [listDeadLetters, showDeadLetters],
    lists: [lists.check, lists.rebuild, restorations.restore, restorations.progress],
    copies: [applyCopies],
    journal: [replay],
  },
};

export const operatorCommands = (session: Session): CommandUnknownOpts[] =>
  Object.entries(subjects).flatMap(([subject, groups]) =>
    Object.entries(groups).map(([name, commands]) => {
      const heading = `${subject}:`;
      if (typeof commands === "function") return commands(session).helpGroup(heading);
      const group = newProgram(name).helpGroup(heading);
      for (const command of commands) group.addCommand(command(session).helpGroup(heading));
      return group;
    }),
  );
