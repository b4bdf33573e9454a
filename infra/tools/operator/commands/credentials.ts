import { Option } from "@commander-js/extra-typings";
import { type AccessScope, accessScopes } from "../../../../shared/api/enumerations.ts";
import { cidr, futureDate, maxCidrs } from "../../../../shared/api/schemas/accessCredentials.ts";
import { credentialKeySet, type SentKey } from "../../../../shared/api/schemas/credentialKeys.ts";
import { name } from "../../../../shared/api/schemas/requestFields.ts";
import { findSurplusPairs, issueCrbAccess } from "../../../../shared/auth/crbAccess.ts";
import { findExpiryIssue } from "../../../../shared/auth/credentialAge.ts";
import { keyIssues, newKeys, setCredentialKeys } from "../../../../shared/auth/credentialKeys.ts";
import {
  type CredentialKeys,
  credentialStatus,
  issueCredential,
  type ListedCredential,
  listCredentials,
  type NewCredential,
} from "../../../../shared/auth/credentials.ts";
import { restrictCredential } from "../../../../shared/auth/restrictCredential.ts";
import { listActiveIssuedCredentials } from "../../../../shared/auth/revoke.ts";
import { crbScopes, serviceProviderScopes } from "../../../../shared/auth/scopes.ts";
import {
  type CreatedByCredential,
  findCreated,
  findRetainedChanges,
  type KeptWork,
} from "../../../../shared/domain/crbs/createdByCredential.ts";
import { revokeCredentialJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import { revokedTogether } from "../../../../shared/domain/crbs/revokeCredentialAndResources.ts";
import { noteKeyEnds, noteRevocations, type RevocationOptions } from "../../../../shared/domain/documents/journal.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { fieldsSetBy } from "../../../../shared/store/fieldChanges.ts";
import { credentialKey } from "../../../../shared/store/keys/credentials.ts";
import { each, newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { CrbOption, serviceProviderArgument, uuid } from "../arguments.ts";
import { asStageError } from "../asStageError.ts";
import { readJsonFile } from "../jsonFile.ts";
import { clientOfSecret } from "../leakedSecret.ts";
import type { MakeCommand, Session } from "../session.ts";
import { stateCell } from "../stateStyles.ts";
import { type Columns, fields, jsonOption, printList, tableLines } from "../table.ts";
import { facts } from "../terminal.ts";
import { associatedCrbOf, serviceProviderOf } from "./crbOf.ts";

export const issue: MakeCommand = (session) =>
  newProgram("issue", "Issues a client id and a secret. The secret is shown only once.")
    .addArgument(serviceProviderArgument())
    .addOption(
      new CrbOption(
        "--crb <CRB>",
        "issues it for this CRB of the service provider, instead of for the service provider",
      ),
    )
    .option("--scope <SCOPE>", "a scope of the credential; can be repeated; default: all scopes that it may hold", each)
    .option("--name <NAME>", "a label that lists show", parseName)
    .option(
      "--expires <DATE>",
      "when it expires, such as 2027-06-30T00:00:00Z; default: at the stage's maximum age of credentials, if it has one",
      parseFutureDate,
    )
    .addOption(cidrOption())
    .option(
      "--jwks <FILE>",
      "a JWK set of public keys with which the program proves its identity; it then gets no secret",
    )
    .action(async (spId, { crb: crbId, scope, name, expires: expiresAt, cidr: allowedCidrs, jwks }) => {
      const { table } = session.target;
      await serviceProviderOf(table, spId);
      if (crbId && jwks !== undefined) throw new StageError("--jwks cannot be combined with --crb.");
      const keys = jwks === undefined ? undefined : await readKeys(jwks);
      if (keys?.length === 0) throw new StageError(`${jwks} must have a key.`);
      const publicKeys = keys && (await newKeys(keys, { actor: undefined, clientId: "", now: new Date() }));
      const scopes = scopesOf(scope, crbId ? crbScopes : serviceProviderScopes);
      const pair = crbId
        ? await issueForCrb(session, { spId, crbId, scopes, name, expiresAt, allowedCidrs })
        : await issueCredential(table, {
            owner: { kind: "serviceProvider", id: spId },
            spId,
            scopes,
            name,
            expiresAt,
            allowedCidrs,
            publicKeys,
          });
      session.print(
        `Issued for ${crbId ? `CRB ${crbId}` : `service provider ${spId}`}. ${publicKeys ? "It has no secret" : "The secret is not shown again"}:`,
        ...facts({
          client_id: pair.client_id,
          ...(publicKeys ? { keys: kidsOf(publicKeys) } : { client_secret: pair.secret }),
          scopes: scopes.join(" "),
        }),
      );
    });

/** The keys of a JWK set in a file. */
async function readKeys(file: string): Promise<SentKey[]> {
  const set = readJsonFile(file, credentialKeySet);
  const faults = Object.entries(await keyIssues(set)).map(([place, { message }]) => `${place.slice(5)} ${message}`);
  if (faults.length > 0) throw new StageError(`${file} is invalid: ${faults.join("; ")}.`);
  return set.keys;
}

const kidsOf = (keys: CredentialKeys = {}): string =>
  Object.values(keys)
    .map(({ kid }) => kid)
    .sort()
    .join(" ");

export const setKeys: MakeCommand = (session) =>
  newProgram(
    "set-keys",
    "Sets the public keys with which a program proves its identity. Keys that are not in the file end, with the tokens that they made.",
  )
    .argument("<CLIENT_ID>", "client id of the credential", uuid("CLIENT_ID"))
    .argument("<FILE>", "a JWK set of at most five public keys")
    .action(async (clientId, file) => {
      const { table, documents } = session.target;
      const keys = await readKeys(file);
      const credential = await credentialOf(table, clientId);
      const had = kidsOf(credential.public_keys) || "no keys";
      const kids = keys.map(({ kid }) => kid);
      await session.confirm(`Replace ${had} of credential ${clientId} by ${kids.join(" ") || "no keys"}?`);
      const change = { spId: credential.sp_id, clientId, keys, actor: undefined };
      await asStageError(setCredentialKeys(table, change, (ended) => noteKeyEnds(documents(), clientId, ended)));
      session.print(`Credential ${clientId} has ${counted(kids.length, "key")}.`);
    });

/** @throws StageError if there is no such credential */
async function credentialOf(table: Table, clientId: string): Promise<ListedCredential> {
  const item = await table.get(credentialKey(clientId), { consistent: true });
  if (!item) throw new StageError(`There is no credential ${clientId}; credential list SP_ID shows all client ids.`);
  return item as unknown as ListedCredential;
}

async function issueForCrb(
  { target: { table, documents }, confirm }: Session,
  pair: Pick<NewCredential, "spId" | "scopes" | "name" | "expiresAt" | "allowedCidrs"> & { crbId: string },
) {
  const { spId, crbId } = pair;
  const crb = await associatedCrbOf(table, crbId);
  if (crb.serviceProviderId !== spId)
    throw new StageError(`CRB ${crbId} is not associated with ${spId}; crb list shows its service provider.`);
  const [ended] = await findSurplusPairs(table, spId, crbId);
  if (ended) await confirm(`End credential ${ended}, the older of the two credentials of ${crb.record.name}?`);
  return issueCrbAccess(table, { ...pair, beforeRevocation: (ids) => noteRevocations(documents(), ids) });
}

function parseName(text: string): string {
  const { success, data } = name.safeParse(text);
  if (!success) throw new StageError("--name must have 1 to 255 characters, without control or invisible characters.");
  return data;
}

function parseFutureDate(text: string): Date {
  if (!futureDate.safeParse(text).success)
    throw new StageError("--expires must be a time in the future, such as 2027-06-30T00:00:00Z.");
  const issue = findExpiryIssue(new Date(text));
  if (issue) throw new StageError(`--expires ${issue}.`);
  return new Date(text);
}

const cidrOption = () =>
  new Option(
    "--cidr <CIDR>",
    "a range of addresses from which it works, such as 203.0.113.0/24; can be repeated; default: all addresses",
  ).argParser((text: string, earlier: string[] = []) => {
    if (earlier.length === maxCidrs) throw new StageError(`--cidr can be given at most ${maxCidrs} times.`);
    if (cidr.safeParse(text).success) return [...earlier, text];
    throw new StageError("--cidr must be a range such as 203.0.113.0/24 or 2001:db8::/32.");
  });

function scopesOf(wanted: readonly string[] | undefined, all: readonly AccessScope[]): readonly AccessScope[] {
  if (!wanted) return all;
  const unknown = wanted.find((scope) => !(accessScopes as readonly string[]).includes(scope));
  if (unknown) throw new StageError(`--scope must be one of ${accessScopes.join(", ")}.`);
  return [...new Set(wanted as AccessScope[])];
}

export const list: MakeCommand = (session) =>
  newProgram("list", "Lists the credentials of a service provider and of its CRBs, newest first.")
    .addArgument(serviceProviderArgument())
    .addOption(jsonOption())
    .action(async (spId, { json }) => {
      const rows = (await listCredentials(session.target.table, spId)).map(toRow);
      printList(session, rows, columns, { json, none: `Service provider ${spId} has no credential.` });
    });

const toRow = ({
  client_id,
  name,
  owner,
  scopes,
  issued_by,
  ends_with,
  allowed_cidrs,
  public_keys,
  ...dates
}: ListedCredential) => ({
  client_id,
  name: name ?? null,
  owner: owner.kind === "crb" ? "crb" : "service_provider",
  crb_id: owner.kind === "crb" ? owner.id : null,
  status: credentialStatus(dates, new Date()),
  issued_date: dates.created_at,
  expires_date: dates.expires_at ?? null,
  revoked_date: dates.revoked_at ?? null,
  issued_by: issued_by ?? null,
  ends_with: ends_with ?? null,
  allowed_cidrs: allowed_cidrs ?? null,
  keys: kidsOf(public_keys) || null,
  scopes,
});

const columns: Columns<ReturnType<typeof toRow>> = {
  client_id: (row) => row.client_id,
  for: (row) => (row.crb_id === null ? "itself" : `CRB ${row.crb_id}`),
  status: (row) => stateCell(row.status),
  issued: (row) => row.issued_date,
  revoked: (row) => row.revoked_date,
  "issued by": (row) => [row.issued_by ?? "operator", ...(row.ends_with ?? [])].join(" "),
  scopes: (row) => row.scopes.join(" "),
  ...fields("keys", "name"),
  expires: (row) => row.expires_date,
  addresses: (row) => row.allowed_cidrs && (row.allowed_cidrs.join(" ") || "none"),
};

export const restrict: MakeCommand = (session) =>
  newProgram(
    "restrict",
    "Sets the addresses from which a credential and its tokens work. Credentials that it issued are narrowed to these addresses, and never widened.",
  )
    .argument("<CLIENT_ID>", "client id of the credential", uuid("CLIENT_ID"))
    .addOption(cidrOption())
    .option("--all", "lets it work from all addresses")
    .action(async (clientId, { cidr: cidrs, all = false }) => {
      if (all === (cidrs !== undefined)) throw new StageError("Give either --cidr, once or more, or --all.");
      const { print, confirm, screen, target } = session;
      const credential = await credentialOf(target.table, clientId);
      const wanted = cidrs?.join(", ") ?? "all addresses";
      await confirm(
        `Let credential ${clientId} work from ${wanted}, and the credentials that it issued from no other?`,
      );
      const narrowed = await restrictCredential(target.table, credential, cidrs);
      if (!narrowed) throw new StageError(`The addresses of credential ${clientId} have just changed: run it again.`);
      print(`Credential ${clientId} works from ${wanted}.`);
      if (narrowed.length > 0)
        print("Narrowed credentials that it issued:", ...tableLines(screen, narrowed.map(toRow), columns));
    });

export const revoke: MakeCommand = (session) =>
  newProgram(
    "revoke",
    "Ends a credential, its tokens and the credentials that it issued. Disables the webhook endpoints that were made or changed with them, deletes the secrets of these endpoints, withdraws invitations, cancels open uploads, and deletes exports that were made or whose links were received with them. Links to documents stay valid for up to an hour. If the command is interrupted, run it again to finish.",
  )
    .argument(
      "<CLIENT_ID|->",
      "client id of the credential; or -, to read its leaked secret or token (sk_…, at_…) from stdin, so that the shell does not record it",
      uuid("CLIENT_ID", "-"),
    )
    .option("--keep-issued", "keeps the credentials active that it issued")
    .option("--keep-made", "keeps the endpoints, invitations, uploads and exports that were made or changed with it")
    .action((given, { keepIssued = false, keepMade = false }) => revokeGiven(session, given, { keepIssued, keepMade }));

async function revokeGiven(session: Session, given: string, options: RevocationOptions): Promise<void> {
  const { print, confirm, readSecret, screen } = session;
  const { table, documents } = session.target;
  const tableOf = (credentials: readonly ListedCredential[]) => tableLines(screen, credentials.map(toRow), columns);
  const clientId = given === "-" ? await clientOfSecret(table, await readSecret("The secret or token")) : given;
  const { sp_id: spId, revoked_at, owner } = await credentialOf(table, clientId);
  const isActive = revoked_at === undefined;
  if (!isActive) print(`It was already revoked, at ${revoked_at}.`);
  const issued = await listActiveIssuedCredentials(table, spId, clientId);
  if (issued.length > 0) print("Credentials that it issued and that are active:", ...tableOf(issued));
  const ending = options.keepIssued ? [] : issued;
  const clientIds = await revokedTogether(table, spId, clientId, options);
  const made = workOf(await findCreated(table, spId, clientIds), clientIds);
  const kept = await findRetainedChanges(table, spId, clientIds);
  if (made.length > 0)
    print("Resources that were made or changed with it and are in use:", ...tableLines(screen, made, workColumns));
  if (kept.length > 0)
    print(
      "Other resources that were made or changed with it; they are kept:",
      ...tableLines(screen, kept, workColumns),
    );
  const endsMade = !options.keepMade && made.length > 0;
  if (!isActive && ending.length === 0 && !endsMade) return;
  const taken = [
    ...(isActive ? [`credential ${clientId} and all its tokens`] : []),
    ...(ending.length > 0 ? [`${counted(ending.length, "credential")} issued by it`] : []),
    ...(endsMade ? [`${counted(made.length, "resource")} made or changed with it`] : []),
  ];
  await confirm(`Revoke ${taken.join(", and ")}?`);
  const { revoked, made: ended } = await revokeCredentialJournaled({ table, bucket: documents() }, clientId, options);
  if (isActive) print(`Revoked credential ${clientId}.`);
  if (revoked.length > 0) print(`Revoked ${counted(revoked.length, "credential")} issued by it.`);
  const still = options.keepIssued ? await listActiveIssuedCredentials(table, spId, clientId) : [];
  if (still.length > 0) print(`Kept ${counted(still.length, "credential")} issued by it.`);
  const ends: [before: string, ended: readonly unknown[], what: string][] = [
    ["Ended the keys that it added to", ended.keys, "credential"],
    ["Ended its access to", ended.endpoints, "webhook endpoint"],
    ["Withdrew", ended.invitations, "invitation"],
    ["Canceled", ended.uploads, "upload"],
    ["Deleted", ended.exports, "export"],
  ];
  print(...ends.flatMap(([before, { length }, what]) => (length > 0 ? [`${before} ${counted(length, what)}.`] : [])));
  if (owner.kind !== "crb") print(linksNotice(options));
  if (options.keepMade && made.length > 0) print(`Kept ${counted(made.length, "resource")} made or changed with it.`);
  const shown = new Set(issued.map(({ client_id }) => client_id));
  const unseen = revoked.filter(({ client_id }) => !shown.has(client_id));
  if (unseen.length > 0) print("Credentials that it issued in the meantime:", ...tableOf(unseen));
}

/** The links that a service provider's credential received, and when they end. The credential of a CRB receives none. */
const linksNotice = ({ keepMade }: RevocationOptions): string =>
  keepMade
    ? "Links that it received stay valid: to exports for up to ten minutes, to documents for up to an hour."
    : "Links to exports that it received have ended with the exports. Links to documents stay valid for up to an hour.";

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** A resource that was created or changed with a credential. */
type WorkRow = Omit<KeptWork, "kind" | "crbId"> & { kind: string; crbId: string | null };

const workOf = (
  { keys, endpoints, invitations, uploads, exports }: CreatedByCredential,
  clientIds: ReadonlySet<string>,
): WorkRow[] => [
  ...keys.map(
    ({ client_id: id }): WorkRow => ({ kind: "credential", id, crbId: null, action: "added keys", date: null }),
  ),
  ...endpoints.map(({ id, changes }): WorkRow => {
    const fields = fieldsSetBy(changes, clientIds);
    const dates = fields.map(([, { date }]) => date).sort();
    const action =
      fields.length > 0 ? `set ${fields.map(([field]) => field).join(", ")}` : "received an earlier secret";
    return { kind: "webhook endpoint", id, crbId: null, action, date: dates.at(-1) ?? null };
  }),
  ...invitations.map(
    ({ id, crbId, createdDate: date }): WorkRow => ({ kind: "invitation", id, crbId, action: "made", date }),
  ),
  ...uploads.map(({ document_id: id, crbId }): WorkRow => ({ kind: "upload", id, crbId, action: "began", date: null })),
  ...exports.map(
    ({ id, crbId, createdDate: date, isCreated }): WorkRow => ({
      kind: "export",
      id,
      crbId,
      action: isCreated ? "made" : "received its links",
      date,
    }),
  ),
];

const workColumns: Columns<WorkRow> = {
  what: (row) => row.kind,
  ...fields("id", "action", "date"),
  crb_id: (row) => row.crbId,
};
