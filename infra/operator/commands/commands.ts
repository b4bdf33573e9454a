import type { Command } from "../command.ts";
import { approve, end, pause, resume, sendBack } from "./associations.ts";
import * as credentials from "./credentials.ts";
import { resend } from "./invitations.ts";
import { replay } from "./journal.ts";
import * as onboarding from "./onboarding.ts";
import { check, connect, reconnect } from "./pos.ts";
import { due, purge } from "./purge.ts";
import * as records from "./records.ts";
import * as replication from "./replication.ts";
import { createServiceProvider, listProviders, removeServiceProvider } from "./serviceProviders.ts";
import { publish } from "./templates.ts";
import { upload } from "./upload.ts";
import { listDeliveries, listWebhooks } from "./webhooks.ts";

/** Every command of the operator, in the order in which help shows them. */
export const commands: readonly Command[] = [
  createServiceProvider,
  listProviders,
  removeServiceProvider,
  credentials.issue,
  credentials.list,
  credentials.revoke,
  publish,
  connect,
  reconnect,
  check,
  upload,
  pause,
  resume,
  end,
  onboarding.show,
  onboarding.useFiles,
  approve,
  sendBack,
  resend,
  replication.start,
  replication.state,
  replication.list,
  replication.rejected,
  listWebhooks,
  listDeliveries,
  records.show,
  records.erase,
  due,
  purge,
  replay,
];
