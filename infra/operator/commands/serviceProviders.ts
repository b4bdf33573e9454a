import { randomUUID } from "node:crypto";
import { enteredServiceProvider } from "../../../shared/api/schemas/serviceProvider.ts";
import { purgeProviderNoted } from "../../../shared/onboarding/journaled.ts";
import { listServiceProviders, putServiceProvider, readServiceProvider } from "../../../shared/table/crbs.ts";
import { StageError } from "../../local/stageError.ts";
import type { Command } from "../command.ts";
import { readJsonFile } from "../jsonFile.ts";
import { columns, facts, title } from "../terminal.ts";

export const createServiceProvider: Command = {
  name: "service-provider create",
  parameters: ["FILE.json"],
  summary: "Creates a service provider of a record (contract 9.1); its id may be left out.",
  async run({ target, print }, [file = ""]) {
    const record = readJsonFile(file, enteredServiceProvider, (content) => ({ id: randomUUID(), ...content }));
    if (await readServiceProvider(target.table, record.id)) {
      throw new StageError(`There is a service provider ${record.id} already.`);
    }
    await putServiceProvider(target.table, { ...record, id: record.id.toLowerCase() });
    print(["Created ", title(record.name)], ...facts({ sp_id: record.id.toLowerCase() }));
  },
};

export const listProviders: Command = {
  name: "service-provider list",
  parameters: [],
  summary: "Lists the service providers by name, with their ids.",
  async run({ target, print }) {
    const rows = (await listServiceProviders(target.table)).map(({ id, name }) => [id, name]);
    print(...(rows.length > 0 ? columns(["SP_ID", "name"], rows) : ["There is no service provider."]));
  },
};

export const removeServiceProvider: Command = {
  name: "service-provider remove",
  parameters: ["SP_ID"],
  summary: "Removes a service provider whose CRBs are all purged, with its credentials, templates and events.",
  async run({ target, print, confirm }, [spId = ""]) {
    const { table } = target;
    const provider = await readServiceProvider(table, spId);
    if (!provider) throw new StageError(`There is no service provider ${spId}.`);
    const bucket = target.documents();
    await confirm(`Remove service provider ${provider.name}, and all that is stored of it, for good?`);
    const result = await purgeProviderNoted({ table, bucket }, spId);
    if (result.outcome === "hasCrbs") {
      throw new StageError(
        `${provider.name} has CRBs: association end and crb purge come first, of ${result.crbIds.slice(0, 10).join(", ")}` +
          `${result.crbIds.length > 10 ? `, and ${result.crbIds.length - 10} more` : ""}.`,
      );
    }
    print(`Removed ${provider.name}.`);
  },
};
