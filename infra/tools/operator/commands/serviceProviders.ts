import { randomUUID } from "node:crypto";
import { enteredServiceProvider } from "../../../../shared/api/schemas/serviceProvider.ts";
import { purgeServiceProviderJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { listServiceProviders, putServiceProvider, readServiceProvider } from "../../../../shared/store/crbs.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { serviceProviderArgument } from "../arguments.ts";
import { readJsonFile } from "../jsonFile.ts";
import type { MakeCommand } from "../session.ts";
import { jsonOption, printList } from "../table.ts";
import { facts, title } from "../terminal.ts";
import { serviceProviderOf } from "./crbOf.ts";

export const createServiceProvider: MakeCommand = (session) =>
  newProgram("create", "Creates a service provider.")
    .argument(
      "<FILE.json>",
      "holds its record (ServiceProvider of docs/openapi.json; docs/operations/first-service-provider.md has a sample); without an id, the program chooses one",
    )
    .action(async (file) => {
      const { target, print } = session;
      const record = readJsonFile(file, enteredServiceProvider, (content) => ({ id: randomUUID(), ...content }));
      if (await readServiceProvider(target.table, record.id)) {
        throw new StageError(`Service provider ${record.id} already exists.`);
      }
      await putServiceProvider(target.table, { ...record, id: record.id.toLowerCase() });
      print(["Created ", title(record.name)], ...facts({ sp_id: record.id.toLowerCase() }));
    });

export const listProviders: MakeCommand = (session) =>
  newProgram("list", "Lists the service providers by name, with their ids.")
    .addOption(jsonOption())
    .action(async ({ json }) => {
      const rows = (await listServiceProviders(session.target.table)).map(({ id, name }) => ({ sp_id: id, name }));
      const none = "There is no service provider: create one with service-provider create.";
      printList(session, rows, { sp_id: (row) => row.sp_id, name: (row) => row.name }, { json, none });
    });

export const removeServiceProvider: MakeCommand = (session) =>
  newProgram(
    "remove",
    "Removes a service provider whose CRBs are all purged, with its credentials, templates and events.",
  )
    .addArgument(serviceProviderArgument())
    .action(async (spId) => {
      const { target, print, confirm } = session;
      const { table } = target;
      const provider = await serviceProviderOf(table, spId);
      const bucket = target.documents();
      await confirm(`Remove service provider ${provider.name} with all its stored data? This cannot be undone.`);
      const result = await purgeServiceProviderJournaled({ table, bucket }, spId);
      if (result.outcome === "hasCrbs") {
        throw new StageError(
          `${provider.name} still has CRBs: run association end and crb purge first, for ${result.crbIds.slice(0, 10).join(", ")}` +
            `${result.crbIds.length > 10 ? `, and ${result.crbIds.length - 10} more` : ""}.`,
        );
      }
      print(`Removed ${provider.name}.`);
    });
