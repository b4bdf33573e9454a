import { randomUUID } from "node:crypto";
import { enteredServiceProvider } from "../../../shared/api/schemas/serviceProvider.ts";
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
