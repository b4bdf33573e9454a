import { endedByNextPair, issueCrbAccess } from "../../../shared/access/crbAccess.ts";
import { issueCredential, listCredentials, revokeCredential } from "../../../shared/access/credentials.ts";
import { crbScopes, serviceProviderScopes } from "../../../shared/access/scopes.ts";
import { type AccessScope, accessScopes } from "../../../shared/api/enumerations.ts";
import { readServiceProvider } from "../../../shared/table/crbs.ts";
import { credentialKey } from "../../../shared/table/keys.ts";
import { StageError } from "../../local/stageError.ts";
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
  { target: { table }, confirm }: Session,
  spId: string,
  crbId: string,
  scopes: readonly AccessScope[],
) {
  const crb = await associatedCrbOf(table, crbId);
  if (crb.serviceProviderId !== spId) throw new StageError(`CRB ${crbId} is not associated with ${spId}.`);
  const [ended] = await endedByNextPair(table, spId, crbId);
  if (ended) await confirm(`End credential ${ended}, the older of the two that ${crb.record.name} has?`);
  return issueCrbAccess(table, { spId, crbId, scopes });
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
    const rows = credentials.map(({ client_id, owner, scopes, created_at, revoked_at }) => [
      client_id,
      owner.kind === "crb" ? `CRB ${owner.id}` : "itself",
      created_at,
      revoked_at ?? "good",
      scopes.join(" "),
    ]);
    print(...columns(["client_id", "for", "issued", "revoked", "scopes"], rows));
  },
};

export const revoke: Command = {
  name: "credential revoke",
  parameters: ["CLIENT_ID|-"],
  summary:
    "Ends a credential and every token made from it; - reads a secret or token of it that was found (sk_…, at_…) from stdin, so that no shell keeps it.",
  async run({ target, print, confirm, readSecret }, [given = ""]) {
    const clientId =
      given === "-" ? await clientOfSecret(target.table, await readSecret("The secret or token")) : given;
    const item = await target.table.get(credentialKey(clientId), { consistent: true });
    if (!item) throw new StageError(`There is no credential ${clientId}.`);
    if (item.revoked_at !== undefined) {
      print(`It was revoked before, at ${item.revoked_at}.`);
      return;
    }
    await confirm(`Revoke credential ${clientId} and all its tokens?`);
    await revokeCredential(target.table, clientId);
    print(`Revoked credential ${clientId}.`);
  },
};
