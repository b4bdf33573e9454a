import { ServiceError } from "../../../shared/api/errors.ts";
import { posInfo } from "../../../shared/api/schemas/crbCreation.ts";
import { connectPos } from "../../../shared/onboarding/connectPos.ts";
import { requestReplication } from "../../../shared/replication/queue.ts";
import { functionEnvironment } from "../../local/environment.ts";
import { StageError } from "../../local/stageError.ts";
import type { Command } from "../command.ts";
import { readJsonFile } from "../jsonFile.ts";
import { associatedCrbOf } from "./crbOf.ts";

export const connect: Command = {
  name: "pos connect",
  parameters: ["CRB_ID", "FILE.json"],
  summary:
    "Connects a CRB that was invited to its POS. The file holds pos_type, pos_credentials and, where needed, location_id.",
  async run({ target, print }, [crbId = "", file = ""]) {
    const info = readJsonFile(file, posInfo);
    const { name } = (await associatedCrbOf(target.table, crbId)).record;
    // Sealing, the connectors and the queue find their settings where a function finds them.
    if (target.local) Object.assign(process.env, functionEnvironment(target.local.data, target.local.endpoints));
    else if (!process.env.KMS_KEY_ID) throw new StageError("Set KMS_KEY_ID to the stage's key for POS credentials.");
    try {
      await connectPos(target.table, crbId, info);
    } catch (error) {
      throw error instanceof ServiceError ? new StageError(`${name} was not connected. ${reasonOf(error)}`) : error;
    }
    print(`Connected ${name} to ${info.pos_type}.`);
    const asked = await requestReplication(crbId).then(
      () => "Its first replication has begun; see replication state.",
      () => "Its first replication comes with the next one of all; the queue could not be asked.",
    );
    print(asked);
  },
};

/** What failed, by field and never by value; the locations to choose from, and the CRB that is the organisation. */
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
