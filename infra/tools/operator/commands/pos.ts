import { ServiceError } from "../../../../shared/api/errors.ts";
import { isUploaded } from "../../../../shared/api/pos/posTypes.ts";
import { posInfo } from "../../../../shared/api/schemas/crbCreation.ts";
import { connectPos } from "../../../../shared/domain/crbs/connectPos.ts";
import { reconnectPos } from "../../../../shared/domain/crbs/reconnectPos.ts";
import { requestReplication } from "../../../../shared/domain/replication/requestReplications.ts";
import { isPaused } from "../../../../shared/domain/statuses/crbStatus.ts";
import { findConnector } from "../../../../shared/pos/findConnector.ts";
import { openConnection } from "../../../../shared/pos/openConnection.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { writeJson } from "../../../local/prettyJson.ts";
import { crbArgument } from "../arguments.ts";
import { readJsonFile } from "../jsonFile.ts";
import type { MakeCommand } from "../session.ts";
import { jsonOption } from "../table.ts";
import { associatedCrbOf } from "./crbOf.ts";

export const connect: MakeCommand = (session) =>
  newProgram("connect", "Connects an invited CRB to its POS.")
    .addArgument(crbArgument())
    .argument("<FILE.json>", "has pos_type, pos_credentials and, if the POS needs it, location_id")
    .action(async (crbId, file) => {
      const { target, print } = session;
      const info = readJsonFile(file, posInfo);
      const { name } = (await associatedCrbOf(target.table, crbId)).record;
      target.provide("KMS_KEY_ID");
      await orRefused(`${name} was not connected.`, connectPos(target.table, crbId, info));
      print(`Connected ${name} to ${info.pos_type}.`, await askToReplicate(crbId, "Its first replication"));
    });

export const reconnect: MakeCommand = (session) =>
  newProgram("reconnect", "Replaces the POS credentials of a connected CRB, if the POS accepts the new ones.")
    .addArgument(crbArgument())
    .argument("<FILE.json>", "has pos_credentials; without pos_type and location_id, these stay unchanged")
    .action(async (crbId, file) => {
      const { target, print, confirm } = session;
      const { connection, record } = await associatedCrbOf(target.table, crbId);
      const { name } = record;
      if (!connection) throw new StageError(`${name} is not connected to a POS: connect it with pos connect.`);
      const { posType, locationId } = connection;
      if (isUploaded(posType)) throw new StageError(`The records of ${name} come by upload: it has no POS.`);
      const info = readJsonFile(file, posInfo, (content) => ({ pos_type: posType, ...content }));
      const { location_id = locationId } = info;
      if (location_id !== locationId) {
        await confirm(
          `Read location ${location_id} of ${posType} for ${name}, instead of ${locationId ?? "no fixed location"}?`,
        );
      }
      target.provide("KMS_KEY_ID");
      await orRefused(`${name} keeps its credentials.`, reconnectPos(target.table, crbId, info));
      const replication = isPaused(record.status)
        ? "Its association is paused: replication begins when it is resumed."
        : await askToReplicate(crbId, "A replication");
      print(`Replaced the ${posType} credentials of ${name}.`, replication);
    });

export const check: MakeCommand = (session) =>
  newProgram(
    "check",
    "Reads a page of each kind of records from a CRB's POS, stores nothing, and shows the field names without values. Send the output to the maintainer of the connector.",
  )
    .addArgument(crbArgument())
    .addOption(jsonOption())
    .action(async (crbId, { json }) => {
      const { target, print, screen } = session;
      const crb = await associatedCrbOf(target.table, crbId);
      const { name } = crb.record;
      target.provide("KMS_KEY_ID");
      const connection = await openConnection(target.table, crb);
      if (!connection || isUploaded(connection.posType)) throw new StageError(`${name} is not connected to a POS.`);
      const { posType } = connection;
      const connector = findConnector(posType);
      if (!connector) {
        throw new StageError(
          `${name} is connected to ${posType}, which this stage does not offer; see experimentalConnectors in docs/operations/experimental-connectors.md.`,
        );
      }
      // Imported late: the normalization of records requires the service key on import.
      const { checkPos, linesOf } = await import("../posCheck.ts");
      const reports = await checkPos(connection, connector, new Date());
      if (json) writeJson(session.stdout, reports);
      else print(`A page of each kind from ${posType}. Nothing was stored.`, "", ...linesOf(screen, reports));
    });

/** @throws StageError with `remains` and the reason, if the service rejects the change */
async function orRefused(remains: string, work: Promise<void>): Promise<void> {
  await work.catch((error) => {
    throw error instanceof ServiceError ? new StageError(`${remains} ${reasonOf(error)}`) : error;
  });
}

/** @returns the next step, for the person at the terminal */
async function askToReplicate(crbId: string, what: string): Promise<string> {
  return requestReplication(crbId).then(
    () => `${what} has begun; see replication state.`,
    () => `${what} could not be queued; it begins with the next scheduled replication.`,
  );
}

/**
 * The reason for each field, never with a received value. Adds the locations to choose from, or the CRB that already
 * has the organization, if the error names them.
 */
function reasonOf({ message, details }: ServiceError): string {
  const fields = Object.entries(details.fields ?? {}).map(
    ([name, field]) => `${name.slice("body.pos_info.".length)} ${field.message}`,
  );
  const { locations = [], org_id } = (details.data ?? {}) as {
    locations?: { id: string; name: string }[];
    org_id?: string;
  };
  const choice = locations.map(({ id, name }) => `${id} (${name})`).join(", ");
  return [
    fields.join("; ") || message,
    ...(choice ? [`locations: ${choice}`] : []),
    ...(org_id ? [`it is CRB ${org_id}`] : []),
  ].join("; ");
}
