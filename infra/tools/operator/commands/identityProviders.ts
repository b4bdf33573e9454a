import { personRoles } from "../../../../shared/api/enumerations.ts";
import { identityProviderUpdate } from "../../../../shared/api/schemas/identityProvider.ts";
import { listEndedPersons, maxSubLength, permitPerson } from "../../../../shared/auth/endedPersons.ts";
import { endPersonJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { issuerIssues } from "../../../../shared/domain/identityProviders/issuerIssues.ts";
import { removeIdentityProvider } from "../../../../shared/domain/identityProviders/removeIdentityProvider.ts";
import { setIdentityProvider } from "../../../../shared/domain/identityProviders/setIdentityProvider.ts";
import { readIdentityProvider, toRecord } from "../../../../shared/domain/identityProviders/storedIdentityProvider.ts";
import { each, newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { serviceProviderArgument } from "../arguments.ts";
import { asStageError } from "../asStageError.ts";
import type { MakeCommand } from "../session.ts";
import { type Columns, jsonOption, printList } from "../table.ts";
import { facts } from "../terminal.ts";
import { serviceProviderOf } from "./crbOf.ts";

export const set: MakeCommand = (session) =>
  newProgram("set", "Sets the identity provider with which the persons of a service provider sign in.")
    .addArgument(serviceProviderArgument())
    .requiredOption("--short-name <NAME>", "the name in the address of the sign-in")
    .requiredOption("--issuer <URL>", "the issuer of the identity provider")
    .requiredOption("--client-id <ID>", "the client id that the identity provider gave to the application")
    .requiredOption("--role <CLAIM=VALUE=ROLE>", `gives a role (${personRoles.join(", ")}); can be repeated`, each)
    .option("--customers", "lets persons read customers")
    .action(async (spId, { shortName, issuer, clientId, role, customers = false }) => {
      const { table, documents } = session.target;
      // The issuer of the local stage has no TLS, which only the environment of that stage permits.
      session.target.provide("TABLE_NAME");
      const { name } = await serviceProviderOf(table, spId);
      const roles = role.map(parseRole);
      const sent = { short_name: shortName, issuer, client_id: clientId, customers, roles };
      const { data, error } = identityProviderUpdate.safeParse(sent);
      const fault = error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
      if (!data) throw new StageError(`The settings are not valid: ${fault}.`);
      const { message } = (await issuerIssues(sent))["body.issuer"] ?? {};
      if (message !== undefined) throw new StageError(`--issuer ${message}.`);
      await session.confirm(`Let persons of ${name} sign in with ${issuer}? The tokens of all its persons end.`);
      const stores = { table, bucket: documents() };
      const record = await asStageError(setIdentityProvider(stores, spId, data, undefined));
      session.print(`Persons of ${name} sign in with ${record.issuer} under the short name ${record.short_name}.`);
    });

function parseRole(text: string) {
  const [, claim, value, role] = /^([^=]+)=(.+)=([^=]+)$/.exec(text) ?? [];
  if (!claim || !value || !role) throw new StageError("--role must be CLAIM=VALUE=ROLE, such as groups=Staff=viewer.");
  return { claim, value, role };
}

export const show: MakeCommand = (session) =>
  newProgram("show", "Shows the identity provider of a service provider, and the persons whose access was ended.")
    .addArgument(serviceProviderArgument())
    .action(async (spId) => {
      const { table } = session.target;
      await serviceProviderOf(table, spId);
      const found = await readIdentityProvider(table, spId);
      if (!found) throw new StageError(`Service provider ${spId} has no identity provider.`);
      const {
        roles,
        customers,
        changed_by_person: person,
        ...record
      } = toRecord(found.stored, found.credential, new Date());
      session.print(
        ...facts({
          ...record,
          customers: customers ? "yes" : "no",
          changed_by: person ? `${person.sub} of ${record.changed_by}` : (record.changed_by ?? "operator"),
          roles: roles.map(({ claim, value, role }) => `${claim}=${value}=${role}`).join(", "),
        }),
      );
    });

export const remove: MakeCommand = (session) =>
  newProgram(
    "remove",
    "Removes the identity provider of a service provider, and ends the access of all its persons. Also ends what they issued and made. If the command is interrupted, run it again to finish.",
  )
    .addArgument(serviceProviderArgument())
    .option("--keep-issued", "keeps the credentials active that persons issued")
    .option("--keep-made", "keeps the endpoints, invitations, uploads and exports that persons made or changed")
    .action(async (spId, { keepIssued = false, keepMade = false }) => {
      const { table, documents } = session.target;
      const { name } = await serviceProviderOf(table, spId);
      await session.confirm(`End the access of all persons of ${name}?`);
      const stores = { table, bucket: documents() };
      await asStageError(removeIdentityProvider(stores, spId, undefined, { keepIssued, keepMade }));
      session.print(`The identity provider of ${name} is removed. No person has access.`);
    });

const subArgument = ["<SUB>", "the id of the person at the identity provider", parseSub] as const;

function parseSub(text: string): string {
  if (text.length === 0 || text.length > maxSubLength)
    throw new StageError(`SUB must have 1 to ${maxSubLength} characters.`);
  return text;
}

export const revokePerson: MakeCommand = (session) =>
  newProgram(
    "revoke",
    "Ends the access of a person at once, and lets the person not sign in again. What the person made stays. If the command is interrupted, run it again to finish.",
  )
    .addArgument(serviceProviderArgument())
    .argument(...subArgument)
    .action(async (spId, sub) => {
      const { table, documents } = session.target;
      const { name } = await serviceProviderOf(table, spId);
      await session.confirm(`End the access of this person of ${name}?`);
      const tokens = await endPersonJournaled({ table, bucket: documents() }, spId, sub);
      session.print(`The person has no access. Deleted tokens: ${tokens}.`);
    });

export const permit: MakeCommand = (session) =>
  newProgram("permit", "Lets a person sign in again whose access was ended.")
    .addArgument(serviceProviderArgument())
    .argument(...subArgument)
    .action(async (spId, sub) => {
      const { table } = session.target;
      await serviceProviderOf(table, spId);
      await permitPerson(table, spId, sub);
      session.print("The person can sign in.");
    });

export const listPersons: MakeCommand = (session) =>
  newProgram("list", "Lists the persons whose access was ended.")
    .addArgument(serviceProviderArgument())
    .addOption(jsonOption())
    .action(async (spId, { json }) => {
      const { table } = session.target;
      await serviceProviderOf(table, spId);
      const none = `No access of a person of service provider ${spId} was ended.`;
      printList(session, await listEndedPersons(table, spId), columns, { json, none });
    });

const columns: Columns<{ sub: string; ended_at: string }> = { sub: (row) => row.sub, ended: (row) => row.ended_at };
