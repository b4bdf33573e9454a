import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { StageError } from "../../../../infra/cli/stageError.ts";
import { shown } from "../../../../infra/cli/terminalOutput.ts";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { bucketName, engineAccess, functionEnvironment } from "../../../../infra/local/environment.ts";
import { runningEndpoints } from "../../../../infra/local/stageLock.ts";
import { stages } from "../../../../infra/stages/stages.ts";
import { approve, pause } from "../../../../infra/tools/operator/commands/associations.ts";
import { operatorCommands } from "../../../../infra/tools/operator/commands/commands.ts";
import { revoke } from "../../../../infra/tools/operator/commands/credentials.ts";
import { operator } from "../../../../infra/tools/operator/operator.ts";
import type { Session } from "../../../../infra/tools/operator/session.ts";
import type { CrbStatus } from "../../../../shared/api/enumerations.ts";
import { issueCrbAccess } from "../../../../shared/auth/crbAccess.ts";
import { crbScopes } from "../../../../shared/auth/scopes.ts";
import { createSecret } from "../../../../shared/auth/secrets.ts";
import { accessFiles } from "../../../../shared/domain/accessLog/accessFiles.ts";
import { connectUpload } from "../../../../shared/domain/crbs/connectUpload.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { type Bucket, bucketOf } from "../../../../shared/domain/documents/bucket.ts";
import { invitationsOf, invitationWrites, readInvitations } from "../../../../shared/domain/invitations/invitations.ts";
import { Table } from "../../../../shared/store/client.ts";
import { changeCrb, putServiceProvider, readCrb } from "../../../../shared/store/crbs.ts";
import { posCredentialsKey } from "../../../../shared/store/keys/crbs.ts";
import { invitationKey, invitationMailsKey, unsentInvitationsKey } from "../../../../shared/store/keys/invitations.ts";
import { erasedKey, rejectedRecordsKey, replicationKey } from "../../../../shared/store/keys/replication.ts";
import { revoking } from "../../../revoking.ts";
import { interceptCalls } from "../../../shared/store/orderedList/listUnderTest.ts";
import { unusedBucket } from "../../../unusedBucket.ts";
import { useTestIdentity } from "../../../useTestIdentity.ts";
import { runHere } from "../../local/runHere.ts";
import { startProgram } from "../../local/startedProcess.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";
import { factOf, useOperator } from "./useOperator.ts";

/** The end of the command's output if it has revoked the credential of a service provider. */
const endOfLinks =
  "Links to exports that it received have ended with the exports. Links to documents stay valid for up to an hour.\n";

const temporaryDirectory = temporaryDirectories();
const { data, stage, run, expectDone, expectRefused, call, issue, crbAt, provider, spId, storeCrb } = useOperator();

/** A file with a value as JSON. */
function fileOf(content: unknown): string {
  const file = join(temporaryDirectory(), "content.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** The status with which the API responds to a key of the service provider. */
const statusWith = async (key: string) => (await call(key, `/service-providers/${spId()}`)).status;
const statusOf = async (crbId: string) => (await readCrb(stage().table, crbId))?.record.status;

async function setStatus(crbId: string, status: CrbStatus): Promise<void> {
  await changeCrb(stage().table, crbId, (crb) => ({ ...crb, record: { ...crb.record, status } }));
}

describe("service providers and credentials", () => {
  test("the operator can create a service provider, and issue, list and revoke its credential", async () => {
    const bank = {
      name: "Bank of Somewhere",
      street_address: "1 Main Street",
      city: "Salem",
      ein: "93-5550100",
      phone_number: "(503) 555-0100",
      postal_code: "97301",
      country: "United States",
      website: "https://bank.example.com",
      state: "OR",
      timezone: "America/Los_Angeles",
    };
    const create = (content: unknown) => ["service-provider", "create", fileOf(content)];
    const id = factOf(await expectDone(...create(bank)), "sp_id");
    const providers = (await expectDone("service-provider", "list")).trim().split("\n");
    expect(providers).toHaveLength(3);
    expect(providers).toContain(`${id}  Bank of Somewhere`);
    expect(providers.filter((line) => line.startsWith(spId()))).toHaveLength(1);
    const issued = await expectDone("credential", "issue", id);
    const [clientId, secret] = [factOf(issued, "client_id"), factOf(issued, "client_secret")];
    const read = (key: string) => call(key, `/service-providers/${id}`);
    expect((await read(secret)).json).toEqual({ id, ...bank });

    const narrow = await expectDone("credential", "issue", id, "--scope", "point-of-sale:read");
    expect((await read(factOf(narrow, "client_secret"))).status).toBe(403);

    const listed = await expectDone("credential", "list", id);
    expect(listed.trim().split("\n")).toHaveLength(3);
    expect(listed).toMatch(new RegExp(`${clientId} +itself +active `));
    expect(listed).not.toContain("sk_");

    await expectRefused("--yes", "credential", "revoke", clientId);
    expect((await read(secret)).status).toBe(200);
    await expectDone("credential", "revoke", clientId, "--yes");
    expect((await read(secret)).status).toBe(401);
    expect(await expectDone("credential", "list", id)).toMatch(new RegExp(`${clientId} +itself +revoked +\\S+ +20`));
    expect(await expectDone("credential", "revoke", clientId)).toContain("already revoked");

    await expectRefused("already", ...create({ ...bank, id }));
    await expectRefused("state", ...create({ ...bank, state: "Oregon" }));
    const contact = { firstName: "Kim", lastName: "Lee", title: "x", emailAddress: "x", phoneNumber: "x" };
    for (const [fields, message] of [
      [{ name: "Bank\u202e" }, "name: must not contain control or invisible characters"],
      [{ name: "http://bank.example" }, "name: must not contain ://"],
      [{ website: "javascript:alert(1)" }, "website: must have no scheme other than http or https"],
      [
        { primary_point_of_contact: { ...contact, firstName: "Kim\u0000" } },
        "primary_point_of_contact.firstName: must",
      ],
      [{ primary_point_of_contact: { ...contact, lastName: "x://y" } }, "primary_point_of_contact.lastName: must"],
    ] as const) {
      await expectRefused(message, ...create({ ...bank, ...fields }));
    }
    await expectRefused("ENOENT", "service-provider", "create", "/nowhere.json");
  });

  describe("a credential can be revoked", () => {
    const revoke = (typed: string, ...more: string[]) =>
      runHere(operator, ["credential", "revoke", "-", ...more, "--data", data], typed);
    const token = async ({ clientId: client_id, secret: client_secret }: { clientId: string; secret: string }) => {
      const body = { client_id, client_secret, grant_type: "client_credentials" };
      return (await call("", "/auth/token", "POST", body)).json.access_token;
    };

    test.each([
      ["its secret", async (pair: { clientId: string; secret: string }) => pair.secret],
      ["a token of it", token],
    ])("by %s, which is not shown", async (_, found) => {
      const pair = await issue();
      const text = await found(pair);
      expect(text).toMatch(/^(sk|at)_/);
      expect(await statusWith(text)).toBe(200);
      const { code, out, err } = await revoke(` ${text}\r\n`, "--yes");
      expect({ code, out }).toEqual({ code: 0, out: `Revoked credential ${pair.clientId}.\n${endOfLinks}` });
      expect(out + err).not.toContain(text.slice(3));
      expect(await statusWith(text)).toBe(401);
      expect(await statusWith(pair.secret)).toBe(401);
    });

    test("but not by a forged secret", async () => {
      const { clientId, secret } = await issue();
      const other = (await issue()).secret;
      const forged = secret.slice(0, 25) + other.slice(25);
      for (const [typed, line] of [
        [forged, `secret is not valid. It names the credential ${clientId}`],
        [forged.replace("sk_", "at_"), `token is not valid, or has expired. It names the credential ${clientId}`],
        [createSecret("sk", randomUUID()), "a credential that does not exist in this stage"],
        ["sk_short", "neither a secret (sk_…)"],
        ["", "neither a secret (sk_…)"],
      ] as const) {
        const { code, out, err } = await revoke(`${typed}\n`, "--yes");
        expect({ code, out }).toEqual({ code: 1, out: "" });
        expect(err).toContain(line);
        expect(err).not.toContain(other.slice(25));
      }
      expect(await statusWith(secret)).toBe(200);
    });

    test("by a secret from a pipe", async () => {
      const { clientId, secret } = await issue();
      const file = join(temporaryDirectory(), "found");
      writeFileSync(file, secret);
      const program = join("infra", "tools", "operator", "operator.ts");
      const { stdout } = await promisify(execFile)(
        "sh",
        ["-c", `"$0" ${program} credential revoke - --yes --data "$1" < "$2"`, process.execPath, data, file],
        { env: { ...process.env, STAGE: undefined } },
      );
      expect(stdout).toBe(`Revoked credential ${clientId}.\n${endOfLinks}`);
    });
  });

  describe("a resource that a credential has made", () => {
    test("is listed and ends with the credential, except with --keep-made", async () => {
      const named = ["--name", "Report", "--expires", "2099-01-01T00:00:00Z"];
      const { clientId, secret } = await issue(...named);
      const listed = JSON.parse(await expectDone("credential", "list", spId(), "--json"));
      expect(listed[0]).toMatchObject({
        client_id: clientId,
        name: "Report",
        expires_date: "2099-01-01T00:00:00.000Z",
      });
      const path = `/service-providers/${spId()}/webhook-endpoints`;
      const { id } = (await call(secret, path, "POST", { url: "https://93.184.216.34/events" })).json;
      onTestFinished(async () => void (await call(provider().client_secret, `${path}/${id}`, "DELETE")));
      const isEnabled = async () => (await call(provider().client_secret, `${path}/${id}`)).json.enabled;
      const row = new RegExp(`^webhook endpoint +${id} +set description, enabled, event_types, secret, url +20`, "m");

      const kept = await expectDone("credential", "revoke", clientId, "--keep-made", "--yes");
      expect(kept).toMatch(row);
      expect(kept).toContain("\nKept 1 resource made or changed with it.\n");
      expect(await isEnabled()).toBe(true);
      const ended = await expectDone("credential", "revoke", clientId, "--yes");
      expect(ended).toMatch(row);
      expect(ended).toContain("\nEnded its access to 1 webhook endpoint.\n");
      expect(await isEnabled()).toBe(false);
      expect(await expectDone("credential", "revoke", clientId)).toMatch(/^It was already revoked, at \S+\n$/);
    });

    test("a name with control characters, and an expiry in the past, are rejected", async () => {
      await expectRefused("--name must", "credential", "issue", spId(), "--name", "a\u202e");
      await expectRefused("--expires must", "credential", "issue", spId(), "--expires", "2020-01-01T00:00:00Z");
      await expectRefused("--expires must", "credential", "issue", spId(), "--expires", "tomorrow");
    });
  });

  test("a credential works only from the addresses that the operator sets", async () => {
    const { clientId, secret } = await issue("--cidr", "127.0.0.0/8", "--cidr", "2001:db8::/32");
    const rangesOf = async () => {
      const listed = JSON.parse(await expectDone("credential", "list", spId(), "--json"));
      return listed.find((one: { client_id: string }) => one.client_id === clientId).allowed_cidrs;
    };
    expect([await statusWith(secret), await rangesOf()]).toEqual([200, ["127.0.0.0/8", "2001:db8::/32"]]);
    const restrict = (...more: string[]) => expectDone("credential", "restrict", clientId, ...more, "--yes");
    expect(await restrict("--cidr", "192.0.2.0/24")).toBe(`Credential ${clientId} works from 192.0.2.0/24.\n`);
    expect([await statusWith(secret), await rangesOf()]).toEqual([403, ["192.0.2.0/24"]]);
    expect(await restrict("--all")).toBe(`Credential ${clientId} works from all addresses.\n`);
    expect([await statusWith(secret), await rangesOf()]).toEqual([200, null]);
    await expectRefused("--cidr must be a range", "credential", "restrict", clientId, "--cidr", "192.0.2.1", "--yes");
    await expectRefused("Give either --cidr", "credential", "restrict", clientId, "--yes");
    await expectRefused("There is no credential", "credential", "restrict", randomUUID(), "--all", "--yes");
  });

  describe("the credentials that a credential has issued", () => {
    /** A credential of the service provider, and the pairs that it has issued for two CRBs. */
    async function givenIssued() {
      const { clientId, secret } = await issue();
      const issueFor = async (crbId: string): Promise<{ crbId: string; client_id: string; secret: string }> => {
        const { json } = await call(secret, `/service-providers/${spId()}/crbs/${crbId}/access`, "POST");
        return { crbId, ...json };
      };
      const pairs = [await issueFor(crbAt(2).crb_id), await issueFor(crbAt(3).crb_id)];
      const statuses = () =>
        Promise.all(pairs.map(async ({ crbId, secret: key }) => (await call(key, `/crbs/${crbId}`)).status));
      const expectNamed = (text: string) => {
        for (const { crbId, client_id } of pairs) {
          expect(text).toMatch(new RegExp(`^${client_id} +CRB ${crbId} +active +\\S+ +- +${clientId} +crb:read`, "m"));
        }
      };
      return { clientId, secret, pairs, statuses, expectNamed };
    }

    test("are listed with it, shown before the confirmation, and end with it", async () => {
      const { clientId, statuses, expectNamed } = await givenIssued();
      const listed = await expectDone("credential", "list", spId());
      expectNamed(listed);
      expect(listed).toMatch(new RegExp(`^${clientId} +itself +active +\\S+ +- +operator `, "m"));
      const unasked = await run("credential", "revoke", clientId);
      expectNamed(unasked.out);
      expect(unasked.code).toBe(1);
      // The question of a local stage does not begin with the stage.
      expect(unasked.err).toMatch(
        new RegExp(`^Revoke credential ${clientId} and all its tokens, and 2 credentials issued by it\\? The input is`),
      );
      expect(await statuses()).toEqual([200, 200]);

      const out = await expectDone("credential", "revoke", clientId, "--yes");
      expectNamed(out);
      expect(out).toContain(`\nRevoked credential ${clientId}.\nRevoked 2 credentials issued by it.\n`);
      expect(await statuses()).toEqual([401, 401]);
      expect(await expectDone("credential", "revoke", clientId)).toMatch(/^It was already revoked, at \S+\n$/);
    });

    test("end with it even if only its secret is known", async () => {
      const { clientId, secret, statuses } = await givenIssued();
      const parameters = ["credential", "revoke", "-", "--yes", "--data", data];
      const { code, out } = await runHere(operator, parameters, `${secret}\n`);
      expect(code).toBe(0);
      expect(out).toContain(`\nRevoked credential ${clientId}.\nRevoked 2 credentials issued by it.\n`);
      expect(await statuses()).toEqual([401, 401]);
    });

    test("stay with --keep-issued, and end with a later revocation without it", async () => {
      const { clientId, secret, statuses, expectNamed } = await givenIssued();
      const kept = await expectDone("credential", "revoke", clientId, "--keep-issued", "--yes");
      expect(kept).toContain(`\nRevoked credential ${clientId}.\nKept 2 credentials issued by it.\n`);
      expect(await statusWith(secret)).toBe(401);
      expect(await statuses()).toEqual([200, 200]);
      expectNamed(await expectDone("credential", "revoke", clientId, "--keep-issued"));

      await run("credential", "revoke", clientId);
      expect(await statuses()).toEqual([200, 200]);
      const rest = await expectDone("credential", "revoke", clientId, "--yes");
      expect(rest).toMatch(/^It was already revoked, at \S+\nCredentials that it issued and that are active:\n/);
      expect(rest).toMatch(/\nRevoked 2 credentials issued by it\.\nLinks to exports .+\n$/);
      expect(await statuses()).toEqual([401, 401]);
    });

    test("include those that are issued after the confirmation, which are named, too", async () => {
      const { clientId, pairs } = await givenIssued();
      const raced = tableOfItsOwn();
      let late: string | undefined;
      interceptCalls(raced).before = async (command) => {
        if (command !== "TransactWriteItemsCommand" || late) return;
        const pair = {
          spId: spId(),
          crbId: crbAt(1).crb_id,
          scopes: crbScopes,
          issuedBy: clientId,
          beforeRevocation: revoking,
        };
        late = (await issueCrbAccess(stage().table, pair)).client_id;
      };
      const printed: string[] = [];
      const session = sessionOn(raced, (...lines) => {
        printed.push(...lines.map((line) => shown(process.stdout, line)));
      });
      await revoke(session).parseAsync([clientId], { from: "user" });
      const heading = printed.indexOf("Credentials that it issued in the meantime:");
      expect(printed.slice(0, heading)).toContain("Revoked 3 credentials issued by it.");
      const rest = printed.slice(heading).join("\n");
      expect(rest).toContain(late);
      expect(rest).not.toContain(pairs[0]?.client_id);
    });
  });

  test("the two newest pairs of a CRB stay valid, and the program asks before a third one ends the first", async () => {
    const { crb_id } = crbAt(0);
    const issued = [];
    for (const more of [[], [], ["--yes"]]) issued.push(await issue("--crb", crb_id, ...more));
    await expectRefused(`credential ${issued[1]?.clientId}`, "credential", "issue", spId(), "--crb", crb_id);
    const answers = await Promise.all(issued.map(({ secret }) => call(secret, `/crbs/${crb_id}`)));
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
  });
});

describe("states of a CRB", () => {
  test("onboarding is sent back and approved only from review", async () => {
    const { crb_id, name } = crbAt(3);
    await expectRefused(
      "svc_pending: this command requires the status svc_awaiting_review.",
      "onboarding",
      "approve",
      crb_id,
    );
    await setStatus(crb_id, "svc_awaiting_review");
    expect(await expectDone("onboarding", "send-back", crb_id)).toBe(
      `${name}: svc_awaiting_review -> svc_in_progress\n`,
    );
    await expectRefused("svc_in_progress", "onboarding", "approve", crb_id);
    await setStatus(crb_id, "svc_awaiting_review");
    await expectRefused("The business has not given consent", "onboarding", "approve", crb_id);
    expect(await expectDone("onboarding", "show", crb_id)).toMatch(/invited +1\n {2}consent +none\n/);
    const { invitation } = stage().description;
    const consent = (method: string, body?: object) =>
      call(invitation.invitation_token, "/onboarding/consent", method, body);
    const { terms } = (await call(invitation.invitation_token, "/onboarding")).json;
    const given = { terms_version: terms.version };
    expect((await consent("PUT", given)).status).toBe(200);
    expect(await expectDone("onboarding", "show", crb_id)).toContain(`by Casey Nolan <${invitation.email}>`);
    await consent("DELETE");
    expect(await expectDone("onboarding", "show", crb_id)).toMatch(/consent +none\n {2}withdrawn .* by Casey Nolan/);
    await consent("PUT", given);
    await setStatus(crb_id, "svc_awaiting_review");
    await expectDone("onboarding", "approve", crb_id);
    expect(await statusOf(crb_id)).toBe("svc_approved");
  });

  test("the operator can allow files instead of a POS, and take that back", async () => {
    const { crb_id } = crbAt(3);
    await expectDone("onboarding", "use-files", crb_id);
    expect(await expectDone("onboarding", "show", crb_id)).toContain("files are used");
    await expectDone("onboarding", "use-files", crb_id, "--undo");
    expect(await expectDone("onboarding", "show", crb_id)).not.toContain("files are used");
  });

  test("an association is paused and resumed", async () => {
    const { crb_id, client_secret } = crbAt(1);
    await expectRefused(": this command requires the status bank_disconnected.", "association", "resume", crb_id);
    await expectRefused("--yes", "association", "pause", crb_id);
    await expectDone("association", "pause", crb_id, "--yes");
    expect(await statusOf(crb_id)).toBe("bank_disconnected");
    await expectRefused("is paused", "replication", "start", crb_id);
    expect((await call(client_secret, `/crbs/${crb_id}`)).status).toBe(200);
    const customers = `/service-providers/${spId()}/crbs/${crb_id}/customers?limit=1`;
    expect((await call(provider().client_secret, customers)).status).toBe(200);
    await expectRefused("is bank_disconnected already.", "association", "pause", crb_id, "--yes");
    await expectDone("association", "resume", crb_id);
    expect(await statusOf(crb_id)).toBe("bank_pending");
    await expectRefused("bank_pending", "association", "resume", crb_id);
  });
});

/** The stage's table with a separate client, so that a test can run other calls in between. */
function tableOfItsOwn(): Table {
  const { engine } = runningEndpoints(data) ?? expect.fail("no stage");
  const client = new DynamoDBClient({ endpoint: engine, ...engineAccess });
  onTestFinished(() => client.destroy());
  return new Table(stage().table.name, client);
}

/** The stage's store of documents. */
function bucketOfStage(): Bucket {
  const { objectStore } = runningEndpoints(data) ?? expect.fail("no stage");
  return bucketOf(bucketName, { endpoint: objectStore, ...engineAccess });
}

/** A session in which every question is confirmed. */
const sessionOn = (table: Table, print: Session["print"] = () => undefined): Session => ({
  target: {
    stage: "local",
    table,
    documents: bucketOfStage,
    accessLog: () => accessFiles(data),
    provide: () => undefined,
    personArn: async () => "local",
    intervals: stages.local.replicateEverySeconds,
    retentionDays: 30,
    close: () => undefined,
  },
  confirm: async () => undefined,
  readSecret: async () => "",
  print,
  stdout: process.stdout,
  screen: {},
});

test.each([
  ["association pause", pause, "svc_approved"],
  ["onboarding approve", approve, "svc_awaiting_review"],
] as const)("%s fails if the association ends during the command", async (_, command, status) => {
  const crbId = await storeCrb({ name: "Leaving", status });
  const raced = tableOfItsOwn();
  let ended = false;
  interceptCalls(raced).before = async (command) => {
    if (command !== "TransactWriteItemsCommand" || ended) return;
    ended = true;
    await endAssociation(stage().table, unusedBucket, crbId);
  };
  await expect(command(sessionOn(raced)).parseAsync([crbId], { from: "user" })).rejects.toThrow(
    new StageError(
      `The association of Leaving has ended in the meantime: its status can no longer change. Its service provider can create a new CRB (createCrb).`,
    ),
  );
});

describe("records", () => {
  const anyRecord = async (crbId: string, path: string, key: string) => {
    const { json } = await call(key, `/crbs/${crbId}/${path}?limit=1`);
    return json.data[0] ?? expect.fail("no record");
  };

  test("the operator can run a replication and see its state", async () => {
    const { crb_id, name, client_secret } = crbAt(0);
    const out = await expectDone("replication", "start", crb_id, "--kind", "customer", "--kind", "product");
    expect(out.split("\n")[0]).toBe(`Replicated ${name}.`);
    expect(out).toMatch(/\nproduct +current/);
    expect(out).not.toMatch(/\nsale/);
    const full = await expectDone("replication", "start", crb_id, "--kind", "product", "--full");
    const { metadata } = (await call(client_secret, `/crbs/${crb_id}/products?limit=1`)).json;
    expect(full).toMatch(
      new RegExp(`\\nproduct +current( +-){3} +0 +0( +\\S+){2} +${metadata.total}( +\\S+){2} +${metadata.total} `),
    );
    const state = await expectDone("replication", "state", crb_id);
    expect(state.trim().split("\n")).toHaveLength(6);
    await expectRefused("not connected to a POS", "replication", "start", crbAt(3).crb_id);
    await expectRefused("KIND must be one of", "replication", "start", crb_id, "--kind", "people");
    expect(await expectDone("replication", "state", crbAt(3).crb_id)).toMatch(/\nsale +not_connected/);
    expect(await expectDone("replication", "state", crb_id, "--kind", "sale")).toMatch(/^kind[^\n]*\nsale [^\n]*\n$/);
  });

  test("a CRB whose POS rejects its location needs attention until a replication succeeds again", async () => {
    const { crb_id, name } = crbAt(1);
    const setLocation = (locationId: string | null) =>
      changeCrb(stage().table, crb_id, (crb) => ({
        ...crb,
        connection: crb.connection && { ...crb.connection, locationId },
      }));
    const standing = async () => (await readCrb(stage().table, crb_id))?.record.pos_configs[0]?.status;
    await setLocation("elsewhere");
    // The first rejection may be temporary; the second confirms it.
    for (const [attempts, status] of [
      [1, "Connected"],
      [2, "Needs Attention"],
    ] as const) {
      const { code, out, err } = await run("replication", "start", crb_id, "--kind", "product", "--kind", "location");
      expect({ code, err }).toEqual({
        code: 1,
        err: `Not fully replicated for ${name}: location (failing), product (failing).\n`,
      });
      expect(out).toMatch(new RegExp(`\\nproduct +failing .* location_gone +- +- +${attempts} `));
      expect(await standing()).toBe(status);
    }
    await setLocation(null);
    await expectDone("replication", "start", crb_id, "--kind", "product");
    expect(await standing()).toBe("Connected");
    // The queue retries the kinds that had failed at once.
    const location = () => stage().table.get(replicationKey(crb_id, "location"), { consistent: true });
    await expect.poll(async () => (await location())?.error).toBeNull();
  });

  test("the causes of failing replications are shown, for one CRB and for all", async () => {
    const { crb_id, name } = crbAt(0);
    const notBefore = new Date(Date.now() + 3_600_000).toISOString();
    const failed = { error: "unreachable", attempts: 3, not_before: notBefore, position: "page\u001b[2J 7" };
    const before = await stage().table.get(replicationKey(crb_id, "sale"));
    // Killed before its first page: only its start was stored.
    const killed = { position: null, held_until: 0, started_at: new Date().toISOString(), error: null };
    await stage().table.update(replicationKey(crb_id, "sale"), killed);
    expect(await expectDone("replication", "state", crb_id)).toMatch(/\nsale +(?:current|late) +- /);
    await stage().table.update(replicationKey(crb_id, "sale"), { ...failed, succeeded_at: "2026-01-01T00:00:00.000Z" });
    const state = await expectDone("replication", "state", crb_id);
    expect(state).toMatch(
      new RegExp(
        `\\nsale +failing .* unreachable +- +- +3 +\\d+ +\\S+ +${notBefore.slice(0, 19)}Z .* page\\\\u001b\\[2J 7\\n`,
      ),
    );
    const [, first = ""] = (await expectDone("replication", "list")).split("\n");
    expect(first).toContain(name);
    expect(first).toMatch(/ +failing(?:, (?:current|late))+ +\d+ h +sale \(unreachable\) +\S.* Connected +0 /);
    await stage().table.put(before ?? expect.fail("no state"));
  });

  test("the rejected records are listed by id, field and reason", async () => {
    const { crb_id, name } = crbAt(0);
    expect(await expectDone("replication", "rejected", crb_id)).toBe(`No record of ${name} is rejected.\n`);
    const record = {
      pos_id: "S-1\u001b[31m",
      field: "items.0.price",
      reason: "invalid_type",
      at: "2026-03-01T12:00:00.000Z",
    };
    await stage().table.put({ ...rejectedRecordsKey(crb_id, "sale"), records: [record], count: 1, parts: 0 });
    const listed = await expectDone("replication", "rejected", crb_id, "--kind", "sale");
    expect(listed).toMatch(/\nsale +S-1\\u001b\[31m +items\.0\.price +invalid_type +2026-03-01T12:00:00Z\n$/);
    expect(await expectDone("replication", "rejected", crb_id, "--kind", "product")).toContain("No record");
    const [headings = "", row = ""] = (await expectDone("replication", "state", crb_id, "--kind", "sale")).split("\n");
    expect(row.slice(headings.indexOf("rejected records")).split(" ")[0]).toBe("1");
    const list = (await expectDone("replication", "list")).split("\n");
    const column = list[0]?.indexOf("rejected records");
    expect(
      list
        .find((line) => line.includes(name))
        ?.slice(column)
        .split(" ")[0],
    ).toBe("1");
  });

  test("the operator can see a record as callers get it, and erase a customer", async () => {
    const { crb_id, client_secret } = crbAt(2);
    const customer = await anyRecord(crb_id, "customers", client_secret);
    const shown = await expectDone("record", "show", crb_id, "customer", customer.id.toUpperCase());
    expect(JSON.parse(shown)).toEqual(customer);
    await expectRefused("has no customer", "record", "show", crb_id, "customer", randomUUID());
    await expectRefused("--yes", "customer", "erase", crb_id, customer.id);
    expect(await expectDone("customer", "erase", crb_id, customer.id, "--yes")).toContain("Erased customer");
    const { json } = await call(client_secret, `/crbs/${crb_id}/customers/${customer.id}`);
    expect(json).toMatchObject({
      id: customer.id,
      pos_customer_id: "erased",
      anonymous: true,
      first_name: null,
      dob: null,
    });
    expect(await expectDone("customer", "erase", crb_id, customer.id, "--yes")).toContain("nothing was left to erase");
  });

  test("a customer who is not stored can be erased in advance, but not of an unknown CRB", async () => {
    const { crb_id, name } = crbAt(2);
    const unknown = randomUUID();
    const erasedAt = async (crbId: string) =>
      (await stage().table.get(erasedKey(crbId, unknown), { consistent: true }))?.erased_at;
    await expectRefused("--yes", "customer", "erase", crb_id, unknown);
    expect(await erasedAt(crb_id)).toBeUndefined();
    expect(await expectDone("customer", "erase", crb_id, unknown, "--yes")).toContain(
      `Customer ${unknown} of ${name} is not stored`,
    );
    expect(await erasedAt(crb_id)).toMatch(/^20/);
    const nowhere = randomUUID();
    await expectRefused("There is no CRB", "customer", "erase", nowhere, unknown, "--yes");
    expect(await erasedAt(nowhere)).toBeUndefined();
  });
});

describe("templates and POS", () => {
  test("a template is published from a file, and replaced by its next version", async () => {
    const requirement = {
      requirement_id: randomUUID().toUpperCase(),
      name: "License",
      description: "The state license",
      category: "license",
      type: "business_license",
      required: true,
    };
    const template = {
      name: "For farms",
      description: "Short",
      custom_field_sections: [],
      document_requirements: [requirement],
    };
    const first = await expectDone("template", "publish", spId(), fileOf(template));
    const template_id = factOf(first, "template_id");
    expect(factOf(first, "version")).toBe("1");
    const again = fileOf({ ...template, template_id, name: "For all farms" });
    await expectRefused("Replace version 1 of For farms?", "template", "publish", spId(), again);
    expect(factOf(await expectDone("template", "publish", spId(), again, "--yes"), "version")).toBe("2");
    const listed = await call(provider().client_secret, `/service-providers/${spId()}/onboarding-templates`);
    expect(listed.json.data[0]).toMatchObject({
      template_id,
      name: "For all farms",
      version: "2",
      document_requirements: [{ requirement_id: requirement.requirement_id.toLowerCase() }],
    });
    const twice = fileOf({ ...template, document_requirements: [requirement, requirement] });
    await expectRefused("two requirements", "template", "publish", spId(), twice);
    await expectRefused("document_requirements", "template", "publish", spId(), fileOf({ name: "None" }));
    await expectRefused("no service provider", "template", "publish", randomUUID(), fileOf(template));
  });

  test("an invited CRB is connected to its POS once, and replicated", async () => {
    const { crb_id, client_secret } = crbAt(3);
    const record = (await readCrb(stage().table, crb_id))?.record;
    const [fitting, other] = record?.business_type === "wholesale" ? ["Canix", "Flowhub"] : ["Flowhub", "Canix"];
    const credentials = fitting === "Canix" ? { key: "secret-key" } : { key: "secret-key", clientId: "secret-id" };
    const info = { pos_type: fitting, pos_credentials: credentials, location_id: "testing" };
    const refused = async (line: string, content: unknown) => {
      const { code, err } = await run("pos", "connect", crb_id, fileOf(content));
      expect(code).toBe(1);
      expect(err).toContain(line);
      expect(err).not.toContain("secret-");
    };
    await refused("pos_type", { ...info, pos_type: "Abacus" });
    await refused("pos_credentials.key is required", { ...info, pos_credentials: {} });
    await refused("are rejected by the POS; check each of them", {
      ...info,
      pos_credentials: { ...credentials, key: "invalid-password" },
    });
    await refused("locations: testing (Sandbox Store)", { ...info, location_id: "elsewhere" });
    if (record?.business_type) {
      const wrong = other === "Canix" ? { key: "secret-key" } : { key: "secret-key", clientId: "secret-id" };
      await refused("must serve", { ...info, pos_type: other, pos_credentials: wrong });
    }
    expect(await expectDone("pos", "connect", crb_id, fileOf(info))).toContain("first replication has begun");
    await refused("already connected to a POS", info);
    const reconnected = (content: unknown) => run("pos", "reconnect", crb_id, fileOf(content));
    const sealed = async () => (await stage().table.get(posCredentialsKey(crb_id), { consistent: true }))?.sealed;
    const before = await sealed();
    for (const [line, content] of [
      ["are rejected by the POS; check each of them", { pos_credentials: { ...credentials, key: "invalid-password" } }],
      [
        `must be ${fitting}`,
        { ...info, pos_type: other, pos_credentials: other === "Canix" ? { key: "k" } : { key: "k", clientId: "k" } },
      ],
      ["pos_credentials.secret", { pos_credentials: { ...credentials, secret: "secret-other" } }],
      ["instead of testing? The input is not a terminal", { ...info, location_id: "elsewhere" }],
    ] as const) {
      const { code, out, err } = await reconnected(content);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/^[^\n]+\n$/);
      expect(err).toContain(line);
      expect(err).not.toContain("secret-");
      expect(await sealed()).toEqual(before);
    }
    expect(await reconnected({ pos_credentials: { ...credentials, key: "secret-new" } })).toEqual({
      code: 0,
      err: "",
      out: expect.stringMatching(/^Replaced the .* credentials of .*\nA replication has begun/),
    });
    expect(await sealed()).not.toEqual(before);
    expect(await expectDone("pos", "check", crb_id)).toMatch(/Nothing was stored\.[\s\S]*\nsale +- +\d+ +0 /);
    const total = async () => (await call(client_secret, `/crbs/${crb_id}/customers?limit=1`)).json.metadata.total;
    await expect.poll(total, { interval: 200 }).toBeGreaterThan(0);
    expect(JSON.stringify(await stage().table.queryPartition(`POS_CREDENTIALS#${crb_id}`))).not.toContain("secret-key");
  });
});

test("pos reconnect is rejected for a CRB that is not connected to a POS", async () => {
  const file = fileOf({ pos_credentials: {} });
  const crbId = await storeCrb();
  await expectRefused("connect it with pos connect", "pos", "reconnect", crbId, file);
  await connectUpload(stage().table, crbId);
  await expectRefused("come by upload", "pos", "reconnect", crbId, file);
  await endAssociation(stage().table, unusedBucket, crbId);
  await expectRefused("no service provider", "pos", "reconnect", crbId, file);
});

describe("invitation resend", () => {
  async function given(...emails: string[]) {
    const crbId = await storeCrb();
    const users = emails.map((email) => ({ email, firstName: "Robin", lastName: "Reyes" }));
    const invitations = invitationsOf(crbId, users);
    if (users.length > 0) await stage().table.transact(invitationWrites(stage().table, crbId, invitations, new Date()));
    return crbId;
  }
  const sentTo = async (address: string) => {
    const { emails } = (await (await fetch(`${stage().description.mail_url}/store`)).json()) as {
      emails: { destination: { to: string[] } }[];
    };
    return emails.filter(({ destination }) => destination.to.includes(address)).length;
  };

  test("queues the invitations that were abandoned, and no others", async () => {
    const [lost, served] = ["lost@example.com", "served@example.com"];
    const crbId = await given(lost, served);
    const [first, second] = await readInvitations(stage().table, crbId);
    await stage().table.put({ ...invitationKey(crbId, first?.id ?? ""), attempts: 10, claimed_until: 0 });
    await stage().table.put({ ...invitationKey(crbId, second?.id ?? ""), sent_at: new Date().toISOString() });
    await stage().table.delete(unsentInvitationsKey(crbId));
    const out = await expectDone("invitation", "resend", crbId);
    expect(out).toMatch(/^1 of the 2 invitations of .* are unsent. They are now queued.\n$/);
    await expect.poll(() => sentTo(lost)).toBe(1);
    expect(await sentTo(served)).toBe(0);
    await expect.poll(() => expectDone("invitation", "resend", crbId)).toMatch(/^All invitations of .* were sent.\n$/);
  });

  test("is rejected if the service provider has used up its mails for the day", async () => {
    const crbId = await given("late@example.com");
    const key = invitationMailsKey(spId(), new Date().toISOString().slice(0, 10));
    await stage().table.put({ ...key, mails: 500, expires: 0 });
    await expectRefused("can send 500 invitation mails a UTC day", "invitation", "resend", crbId);
    await stage().table.delete(key);
    expect(await expectDone("invitation", "resend", crbId)).toContain("1 of the 1 invitations");
  });

  test("reports that there is nothing to do", async () => {
    expect(await expectDone("invitation", "resend", await given())).toMatch(/^No user was invited for /);
    await expectRefused("There is no CRB", "invitation", "resend", randomUUID());
  });
});

const endpoints = () => `/service-providers/${spId()}/webhook-endpoints`;

describe("webhooks list", () => {
  test("shows endpoints with the field names of the API, and no query of a url", async () => {
    const key = provider().client_secret;
    const body = { url: "https://93.184.216.34/in?token=t0ken", event_types: ["crb.created", "document.added"] };
    const { id, secret } = (await call(key, endpoints(), "POST", body)).json;
    expect((await call(key, `${endpoints()}/${id}`, "PUT", { enabled: false })).status).toBe(200);
    const out = await expectDone("webhooks", "list", spId());
    const [heading, newest, ...others] = out.trimEnd().split("\n");
    const words = ["endpoint_id", "status", "undelivered", "last_error", "last_delivered_date", "event_types", "url"];
    expect(heading?.split(/\s+/)).toEqual(words);
    const row = [id, "disabled", "0", "-", "-", "crb.created", "document.added", "https://93.184.216.34/in?…"];
    expect(newest?.split(/\s+/)).toEqual(row);
    expect(others).toHaveLength(1);
    expect(others[0]).toContain("  all  ");
    expect(out).not.toMatch(/t0ken|whsec_/);
    expect(out).not.toContain(secret);
    await call(key, `${endpoints()}/${id}`, "DELETE");
  });

  test("reports that there is no endpoint", async () => {
    await expectRefused("There is no service provider", "webhooks", "list", randomUUID());
    const spId = randomUUID();
    await putServiceProvider(stage().table, { ...demoServiceProvider, id: spId });
    expect(await expectDone("webhooks", "list", spId)).toBe(`Service provider ${spId} has no webhook endpoint.\n`);
  });
});

describe("webhooks deliveries", () => {
  test("shows attempts with the field names of the API, newest first", async () => {
    const key = provider().client_secret;
    const id = (await call(key, endpoints())).json.data.at(-1)?.id ?? expect.fail();
    const made = (await call(key, `${endpoints()}/${id}/test`, "POST")).json;
    const out = await expectDone("webhooks", "deliveries", spId(), id);
    const [heading, ...rows] = out.split("\n").map((line) => line.split(/\s+/));
    expect(heading?.slice(0, 3)).toEqual(["date", "event_type", "crb_id"]);
    // The stage may deliver an event of an earlier test meanwhile.
    const attempts = rows.filter(([date = ""]) => /^\d{4}-/.test(date));
    const row = attempts.find((words) => words.includes(made.event_id));
    expect(row?.slice(0, 4)).toEqual([made.date, "endpoint.test", "-", "1"]);
    const dates = attempts.map(([date]) => date);
    expect(dates).toEqual(dates.toSorted().reverse());
    expect(out).toMatch(/\n\d+ of \d+ attempts of the last 30 days\.\n$/);
  });

  test("reports that the endpoint does not exist", async () => {
    await expectRefused("has no webhook endpoint", "webhooks", "deliveries", randomUUID(), randomUUID());
  });
});

describe("a deployed stage", () => {
  useTestIdentity();
  /** The variables of a deployed stage that has the table and the object store of this one. */
  const variables = () => ({
    ...functionEnvironment(data, runningEndpoints(data) ?? expect.fail("no stage")),
    ACCESS_LOG_BUCKET: bucketName,
  });
  const environment = (more: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries({ ...variables(), ...more })) vi.stubEnv(name, value);
  };
  const on = (name: string, ...parameters: string[]) =>
    runHere(operator, [...parameters, "--stage", name, "--data", data]);
  afterEach(() => void vi.unstubAllEnvs());

  test("is only used with its own environment", async () => {
    environment({ STAGE: "prod" });
    const list = ["credential", "list", spId()];
    expect(await on("sandbox", ...list)).toEqual({
      code: 1,
      out: "",
      err: "The environment belongs to stage prod: to work on stage sandbox, read its settings first (set -a; . .deployed/sandbox.env; set +a).\n",
    });
    const { code, out } = await on("prod", ...list);
    expect([code, out]).toEqual([0, expect.stringContaining("client_id")]);
    // Without --stage, the operator does not see another stage by mistake.
    expect(await on("local", ...list)).toMatchObject({ code: 1, err: expect.stringContaining("add --stage prod") });
  });

  test.each(["staging", "mock", "Prod", ""])("cannot be named %j", async (name) => {
    environment({ STAGE: name });
    const err = `--stage must be one of local, sandbox, prod, not "${name}".\n`;
    expect(await on(name, "credential", "list", spId())).toEqual({ code: 1, out: "", err });
  });

  test("is named in every question", async () => {
    environment({ STAGE: "prod" });
    const { crb_id, name } = crbAt(0);
    const { err } = await on("prod", "association", "end", crb_id);
    expect(err).toMatch(new RegExp(`^Stage prod: End the association of ${name}`));
  });

  test("needs no access to secrets for commands that do not use them", async () => {
    const unreachable = {
      ...variables(),
      AWS_ENDPOINT_URL_STS: process.env.AWS_ENDPOINT_URL_STS,
      STAGE: "prod",
      SERVICE_KEY_FILE: undefined,
      SERVICE_KEY_SECRET: "service-key",
      POS_PARTNER_KEYS_SECRET: "partner-keys",
      AWS_ENDPOINT_URL_SECRETS_MANAGER: "http://127.0.0.1:1",
      AWS_MAX_ATTEMPTS: "1",
    };
    const spawned = async (...parameters: string[]) => {
      const started = startProgram(join("..", "tools", "operator", "operator.ts"), parameters, unreachable);
      return { ...(await started.ended), err: started.err };
    };
    const done = { code: 0, signal: null, err: "" };
    expect(await Promise.all([spawned("--help"), spawned("credential", "list", spId(), "--stage", "prod")])).toEqual([
      done,
      done,
    ]);
  });
});

test("the end of an association ends its credentials and its POS connection", async () => {
  const { crb_id, client_secret } = crbAt(2);
  const spKey = provider().client_secret;
  const crbs = async () => (await call(spKey, `/service-providers/${spId()}/crbs`)).json;
  const { total } = (await crbs()).metadata;
  const issued = await issue("--crb", crb_id);
  await expectRefused("--yes", "association", "end", crb_id);
  expect(await expectDone("association", "end", crb_id, "--yes")).toMatch(
    /Ended .*\nRevoked 2 of.*\nEnded its upload links \(0 open\) and the download links of its documents \(0\)/,
  );
  for (const key of [client_secret, issued.secret]) {
    expect((await call(key, `/crbs/${crb_id}`)).status).toBe(401);
  }
  expect((await call(spKey, `/service-providers/${spId()}/crbs/${crb_id}`)).status).toBe(404);
  const list = await crbs();
  expect(list.metadata.total).toBe(total - 1);
  expect(list.data.map(({ id }: { id: string }) => id)).not.toContain(crb_id);
  expect(await readCrb(stage().table, crb_id)).toMatchObject({
    connection: null,
    record: { pos_configs: [{ status: "Not Connected" }] },
  });
  expect(await expectDone("association", "end", crb_id, "--yes")).toMatch(/had already ended.\nRevoked 0/);
  await expectRefused("no service provider", "association", "pause", crb_id, "--yes");
  await expectRefused("no service provider", "credential", "issue", spId(), "--crb", crb_id);
});

describe("the program", () => {
  test("shows every command with --help, and for each command its options", async () => {
    const help = await expectDone("--help");
    const session = sessionOn(stage().table);
    const names = operatorCommands(session).flatMap((group) =>
      group.commands.length > 0 ? group.commands.map((one) => `${group.name()} ${one.name()}`) : [group.name()],
    );
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
    for (const text of [help, await expectDone("credential", "revoke", "--help")])
      for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const one = await expectDone("credential", "issue", "--help");
    expect(one).toContain("Usage: npm run operator -- credential issue [options] <SP_ID>\n");
    expect(one).toMatch(/\n {2}--scope <SCOPE> .*[\s\S]*\n {2}--stage <NAME> /);
  });

  test.each([
    [["credential", "sing"], "Unknown command 'sing'. See npm run operator -- credential --help"],
    [[], "Add a command to npm run operator: status, service-provider, credential, "],
    [["credential"], "Add a command to npm run operator -- credential: issue, list, restrict, set-keys, revoke."],
    [["credential", "list"], "Missing required argument 'SP_ID'. See npm run operator -- credential list --help"],
    [
      ["credential", "revoke", randomUUID(), "sk_secret"],
      "Too many arguments for npm run operator -- credential revoke. See",
    ],
    [["credential", "issue", randomUUID(), "--scope"], "Option '--scope <SCOPE>' needs a value."],
    [["--json", "crb", "list"], "Unknown option '--json'. Put the options of a command after its name. See"],
    [["onboarding", "iv_secret"], "Unknown command 'iv_…'"],
    [["replication", "list", "--watch", "--json"], "cannot be used with option"],
    [["credential", "list", "sk_secret"], "No service provider has this name, or an id that begins so"],
    [["credential", "issue", randomUUID(), "--crb", "x"], "No CRB has this name"],
    [["credential", "issue", randomUUID()], "no service provider"],
    [["credential", "revoke", randomUUID(), "--yes"], "no credential"],
    [["association", "end", randomUUID(), "--yes"], "There is no CRB"],
    [
      ["credential", "list", randomUUID(), "--stage", "prod"],
      "names no stage: to work on stage prod, read its settings first (set -a; . .deployed/prod.env",
    ],
    [["credential", "revoke", "x"], "CLIENT_ID must be a uuid, or -"],
  ])("rejects %j in one line", async (parameters, line) => expectRefused(line, ...parameters));

  test("without a running stage says how to start one", async () => {
    const { code, err } = await runHere(operator, ["credential", "list", randomUUID(), "--data", "/nowhere"]);
    expect([code, err]).toEqual([
      1,
      "No local stage runs on /nowhere: start one with npm start -- --data '/nowhere'.\n",
    ]);
  });

  test("works the same in a separate process, with its exit code", async () => {
    const spawned = async (...parameters: string[]) => {
      const started = startProgram(join("..", "tools", "operator", "operator.ts"), [...parameters, "--data", data]);
      return { ...(await started.ended), out: started.out, err: started.err };
    };
    const [listed, refused] = await Promise.all([
      spawned("credential", "list", spId()),
      spawned("association", "end", crbAt(0).crb_id),
    ]);
    expect(listed).toEqual({ code: 0, signal: null, err: "", out: await expectDone("credential", "list", spId()) });
    expect(refused).toEqual({ code: 1, signal: null, out: "", err: expect.stringMatching(/^[^\n]*--yes[^\n]*\n$/) });
  });
});
