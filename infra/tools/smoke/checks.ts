import { alarm } from "./checks/alarm.ts";
import { documents } from "./checks/documents.ts";
import { exports } from "./checks/exports.ts";
import { functions } from "./checks/functions.ts";
import { licenses } from "./checks/licenses.ts";
import { mail } from "./checks/mail.ts";
import { reading } from "./checks/reading.ts";
import { rejections } from "./checks/rejections.ts";
import { replication } from "./checks/replication.ts";
import { strangers } from "./checks/strangers.ts";
import { tokens } from "./checks/tokens.ts";
import type { Check } from "./trial.ts";

/** All checks, `functions` first: the other checks would start instances, and `functions` needs a cold start. */
export const checks: readonly Check[] = [
  functions,
  strangers,
  tokens,
  rejections,
  reading,
  documents,
  licenses,
  mail,
  replication,
  exports,
  alarm,
];
