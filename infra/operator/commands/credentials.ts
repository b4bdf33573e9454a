import { endedByNextPair, issueCrbAccess } from "../../../shared/access/crbAccess.ts";
import { issueCredential, type ListedCredential, listCredentials } from "../../../shared/access/credentials.ts";
import { goodIssuedBy } from "../../../shared/access/revoke.ts";
import { crbScopes, serviceProviderScopes } from "../../../shared/access/scopes.ts";
import { type AccessScope, accessScopes } from "../../../shared/api/enumerations.ts";
import { noteRevocations } from "../../../shared/documents/journal.ts";
import { revokeNoted } from "../../../shared/onboarding/journaled.ts";
import { readServiceProvider } from "../../../shared/table/crbs.ts";
import { credentialKey } from "../../../shared/table/keys.ts";
import { StageError } from "../../local/stageError.ts";
import type { Line } from "../../local/write.ts";
import type { Command, Session } from "../command.ts";
import { clientOfSecret } from "../leakedSecret.ts";
import { columns, facts } from "../terminal.ts";
import { associatedCrbOf } from "./crbOf.ts";

export const issue: Command = {
  name: "credential issue",
  parameters: ["SP_ID"],
  options: {
    crb: { value: "CRB_ID", meaning: "for one of its CRBs, instead of for itself" },
    scope: {
      value: "SCOPE",
      meaning: "one that it shall hold, once for each; all that it may hold unless said",
      many: true,
    },
  },
  summary: "Issues a client id and a secret, which is shown this once.",
  async run(session, [spId = ""], { crb, scope }) {
    const { table } = session.target;
    const crbId = crb?.[0];
    if (!(await readServiceProvider(table, spId))) throw new StageError(`There is no service provider ${spId}.`);
    const scopes = scopesOf(scope, crbId ? crbScopes : serviceProviderScopes);
    const pair = crbId
      ? await issueForCrb(session, spId, crbId, scopes)
      : await issueCredential(table, { owner: { kind: "serviceProvider", id: spId }, spId, scopes });
    session.print(
      `Issued for ${crbId ? `CRB ${crbId}` : `service provider ${spId}`}; the secret is not shown again:`,
      ...facts({ client_id: pair.client_id, client_secret: pair.secret, scopes: scopes.join(" ") }),
    );
  },
};

async function issueForCrb(
  { target: { table, documents }, confirm }: Session,
  spId: string,
  crbId: string,
  scopes: readonly AccessScope[],
) {
  const crb = await associatedCrbOf(table, crbId);
  if (crb.serviceProviderId !== spId) throw new StageError(`CRB ${crbId} is not associated with ${spId}.`);
  const [ended] = await endedByNextPair(table, spId, crbId);
  if (ended) await confirm(`End credential ${ended}, the older of the two that ${crb.record.name} has?`);
  return issueCrbAccess(table, { spId, crbId, scopes, revoking: (ids) => noteRevocations(documents(), ids) });
}

function scopesOf(wanted: readonly string[] | undefined, all: readonly AccessScope[]): readonly AccessScope[] {
  if (!wanted) return all;
  const unknown = wanted.find((scope) => !(accessScopes as readonly string[]).includes(scope));
  if (unknown) throw new StageError(`--scope must be one of ${accessScopes.join(", ")}.`);
  return [...new Set(wanted as AccessScope[])];
}

export const list: Command = {
  name: "credential list",
  parameters: ["SP_ID"],
  summary: "Lists the credentials of a service provider and those it has for its CRBs, newest first.",
  async run({ target, print }, [spId = ""]) {
    const credentials = await listCredentials(target.table, spId);
    if (credentials.length === 0) {
      print(`There is no credential of ${spId}.`);
      return;
    }
    print(...tableOf(credentials));
  },
};

/** Credentials as the rows of a table. */
const tableOf = (credentials: readonly ListedCredential[]): Line[] =>
  columns(
    ["client_id", "for", "issued", "revoked", "issued by", "scopes"],
    credentials.map(({ client_id, owner, scopes, created_at, revoked_at, issued_by }) => [
      client_id,
      owner.kind === "crb" ? `CRB ${owner.id}` : "itself",
      created_at,
      revoked_at ?? "good",
      issued_by ?? "operator",
      scopes.join(" "),
    ]),
  );

export const revoke: Command = {
  name: "credential revoke",
  parameters: ["CLIENT_ID|-"],
  options: { "keep-issued": { meaning: "leaves the credentials good that were issued by it" } },
  summary:
    "Ends a credential, every token made from it, and the credentials that were issued by it; - reads a secret or token of it that was found (sk_…, at_…) from stdin, so that no shell keeps it. Where it was cut off, the same command ends what is left.",
  async run({ target: { table, documents }, print, confirm, readSecret }, [given = ""], options) {
    const keepIssued = options["keep-issued"] !== undefined;
    const clientId = given === "-" ? await clientOfSecret(table, await readSecret("The secret or token")) : given;
    const item = await table.get(credentialKey(clientId), { consistent: true });
    if (!item) throw new StageError(`There is no credential ${clientId}.`);
    const isGood = item.revoked_at === undefined;
    if (!isGood) print(`It was revoked before, at ${item.revoked_at}.`);
    const issued = await goodIssuedBy(table, String(item.sp_id), clientId);
    if (issued.length > 0) print("Issued by it, and good:", ...tableOf(issued));
    const ending = keepIssued ? [] : issued;
    if (!isGood && ending.length === 0) return;
    const taken = [
      ...(isGood ? [`credential ${clientId} and all its tokens`] : []),
      ...(ending.length > 0 ? [`${counted(ending.length)} issued by it`] : []),
    ];
    await confirm(`Revoke ${taken.join(", and ")}?`);
    const revoked = await revokeNoted({ table, bucket: documents() }, clientId, { keepIssued });
    if (isGood) print(`Revoked credential ${clientId}.`);
    if (revoked.length > 0) print(`Revoked ${counted(revoked.length)} issued by it.`);
    const kept = keepIssued ? await goodIssuedBy(table, String(item.sp_id), clientId) : [];
    if (kept.length > 0) print(`Kept ${counted(kept.length)} issued by it.`);
    const shown = new Set(issued.map(({ client_id }) => client_id));
    const unseen = revoked.filter(({ client_id }) => !shown.has(client_id));
    if (unseen.length > 0) print("Of these, issued in the meantime:", ...tableOf(unseen));
  },
};

const counted = (count: number): string => `${count} credential${count === 1 ? "" : "s"}`;
