import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stage, startStage } from "../../../infra/local/stage.ts";
import { commands } from "../../../infra/operator/commands/commands.ts";
import { operator } from "../../../infra/operator/operator.ts";
import type { CrbStatus } from "../../../shared/api/enumerations.ts";
import { changeCrb, readCrb } from "../../../shared/table/crbs.ts";
import { rejectedRecordsKey, replicationKey } from "../../../shared/table/keys.ts";
import { copyDemoData } from "../../demoData.ts";
import { runHere } from "../local/runHere.ts";
import { startProgram } from "../local/startedProcess.ts";
import { temporaryDirectories } from "../local/temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();
const data = temporaryDirectory();
let stage: Stage;
beforeAll(async () => {
  await copyDemoData(data);
  stage = await startStage({ port: 0, data, replicateEvery: 0 });
});
afterAll(() => stage?.stop());

/** Runs the program on the stage of this file; its input is no terminal. */
const run = (...parameters: string[]) => runHere(operator, [...parameters, "--data", data]);

async function expectDone(...parameters: string[]): Promise<string> {
  const { code, out, err } = await run(...parameters);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  // Plain in a pipe: no colours.
  expect(out).not.toContain("\u001b");
  return out;
}

async function expectRefused(line: string, ...parameters: string[]): Promise<void> {
  const { code, out, err } = await run(...parameters);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(line);
}

const get = (path: string, key: string) =>
  fetch(stage.description.base_url + path, { headers: { Authorization: key } });

const factOf = (out: string, name: string) => new RegExp(`${name} +(\\S+)`).exec(out)?.[1] ?? "";

const crbAt = (index: number) => stage.description.crbs[index] ?? expect.fail("no CRB");
const spId = () => stage.description.service_provider.sp_id;
const statusOf = async (crbId: string) => (await readCrb(stage.table, crbId))?.record.status;

async function setStatus(crbId: string, status: CrbStatus): Promise<void> {
  await changeCrb(stage.table, crbId, (crb) => ({ ...crb, record: { ...crb.record, status } }));
}

describe("service providers and credentials", () => {
  test("a service provider is created, gets a credential, which is listed and revoked", async () => {
    const file = join(temporaryDirectory(), "bank.json");
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
    writeFileSync(file, JSON.stringify(bank));
    const id = factOf(await expectDone("service-provider", "create", file), "sp_id");
    const issued = await expectDone("credential", "issue", id);
    const [clientId, secret] = [factOf(issued, "client_id"), factOf(issued, "client_secret")];
    const answer = await get(`/service-providers/${id}`, secret);
    expect(await answer.json()).toEqual({ id, ...bank });

    const narrow = await expectDone("credential", "issue", id, "--scope", "point-of-sale:read");
    expect((await get(`/service-providers/${id}`, factOf(narrow, "client_secret"))).status).toBe(403);

    const listed = await expectDone("credential", "list", id);
    expect(listed.trim().split("\n")).toHaveLength(3);
    expect(listed).toMatch(new RegExp(`${clientId} +itself .* good`));
    expect(listed).not.toContain("sk_");

    await expectRefused("--yes", "credential", "revoke", clientId);
    expect((await get(`/service-providers/${id}`, secret)).status).toBe(200);
    await expectDone("credential", "revoke", clientId, "--yes");
    expect((await get(`/service-providers/${id}`, secret)).status).toBe(401);
    expect(await expectDone("credential", "list", id)).toMatch(new RegExp(`${clientId} +itself +\\S+ +20`));
    expect(await expectDone("credential", "revoke", clientId)).toContain("revoked before");

    writeFileSync(file, JSON.stringify({ ...bank, id }));
    await expectRefused("already", "service-provider", "create", file);
    writeFileSync(file, JSON.stringify({ ...bank, state: "Oregon" }));
    await expectRefused("state", "service-provider", "create", file);
    await expectRefused("ENOENT", "service-provider", "create", "/nowhere.json");
  });

  test("of a CRB's pairs the two newest stay good; before a third ends the first, it asks", async () => {
    const { crb_id } = crbAt(0);
    const issued: string[] = [];
    for (const more of [[], [], ["--yes"]]) {
      issued.push(await expectDone("credential", "issue", spId(), "--crb", crb_id, ...more));
    }
    const secrets = issued.map((out) => factOf(out, "client_secret"));
    const older = factOf(issued[1] ?? "", "client_id");
    await expectRefused(`credential ${older}`, "credential", "issue", spId(), "--crb", crb_id);
    const answers = await Promise.all(secrets.map((secret) => get(`/crbs/${crb_id}`, secret)));
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
  });
});

describe("states of a CRB (contract 11.1)", () => {
  test("onboarding is sent back and approved only from review", async () => {
    const { crb_id, name } = crbAt(3);
    await expectRefused("svc_pending", "onboarding", "approve", crb_id);
    await setStatus(crb_id, "svc_awaiting_review");
    expect(await expectDone("onboarding", "send-back", crb_id)).toBe(
      `${name}: svc_awaiting_review -> svc_in_progress\n`,
    );
    await expectRefused("svc_in_progress", "onboarding", "approve", crb_id);
    await setStatus(crb_id, "svc_awaiting_review");
    await expectDone("onboarding", "approve", crb_id);
    expect(await statusOf(crb_id)).toBe("svc_approved");
  });

  test("an association is paused and resumed", async () => {
    const { crb_id, client_secret } = crbAt(1);
    await expectRefused("from where this is no move", "association", "resume", crb_id);
    await expectRefused("--yes", "association", "pause", crb_id);
    await expectDone("association", "pause", crb_id, "--yes");
    expect(await statusOf(crb_id)).toBe("bank_disconnected");
    await expectRefused("is paused", "replication", "start", crb_id);
    expect((await get(`/crbs/${crb_id}`, client_secret)).status).toBe(200);
    const { client_secret: spKey } = stage.description.service_provider;
    expect((await get(`/service-providers/${spId()}/crbs/${crb_id}/customers?limit=1`, spKey)).status).toBe(200);
    await expectRefused("bank_disconnected", "association", "pause", crb_id, "--yes");
    await expectDone("association", "resume", crb_id);
    expect(await statusOf(crb_id)).toBe("bank_pending");
    await expectRefused("bank_pending", "association", "resume", crb_id);
  });
});

describe("records", () => {
  const anyRecord = async (crbId: string, path: string, key: string) => {
    const answer = (await (await get(`/crbs/${crbId}/${path}?limit=1`, key)).json()) as { data: { id: string }[] };
    return answer.data[0] ?? expect.fail("no record");
  };

  test("a replication is run, and its state shown", async () => {
    const { crb_id, name } = crbAt(0);
    const out = await expectDone("replication", "start", crb_id, "--kind", "customer", "--kind", "product");
    expect(out.split("\n")[0]).toBe(`Replicated ${name}.`);
    expect(out).toMatch(/\nproduct +done/);
    expect(out).not.toMatch(/\nsale/);
    const state = await expectDone("replication", "state", crb_id);
    expect(state.trim().split("\n")).toHaveLength(6);
    await expectRefused("connected to no POS", "replication", "start", crbAt(3).crb_id);
    await expectRefused("A kind is one of", "replication", "start", crb_id, "--kind", "people");
    expect(await expectDone("replication", "state", crbAt(3).crb_id)).toMatch(/\nsale +never/);
    expect(await expectDone("replication", "state", crb_id, "--kind", "sale")).toMatch(/^kind[^\n]*\nsale [^\n]*\n$/);
  });

  test("a CRB whose POS refuses it needs attention, until a replication succeeds again", async () => {
    const { crb_id, name } = crbAt(1);
    const setLocation = (locationId: string | null) =>
      changeCrb(stage.table, crb_id, (crb) => ({
        ...crb,
        connection: crb.connection && { ...crb.connection, locationId },
      }));
    const standing = async () => (await readCrb(stage.table, crb_id))?.record.pos_configs[0]?.status;
    await setLocation("elsewhere");
    const { code, out, err } = await run("replication", "start", crb_id, "--kind", "product", "--kind", "location");
    expect({ code, err }).toEqual({ code: 1, err: `Of ${name} not replicated: location, product.\n` });
    expect(out).toMatch(/\nproduct +failed .* locationGone +1 /);
    expect(await standing()).toBe("Needs Attention");
    await setLocation(null);
    await expectDone("replication", "start", crb_id, "--kind", "product");
    expect(await standing()).toBe("Connected");
    // What was refused with it is tried again at once, by the queue.
    const location = () => stage.table.get(replicationKey(crb_id, "location"), { consistent: true });
    await expect.poll(async () => (await location())?.error, { timeout: 20_000 }).toBeNull();
  });

  test("what stands in the way of replications is shown, of one CRB and of all", async () => {
    const { crb_id, name } = crbAt(0);
    const notBefore = new Date(Date.now() + 3_600_000).toISOString();
    const failed = { error: "unreachable", attempts: 3, not_before: notBefore, position: "page\u001b[2J 7" };
    const before = await stage.table.get(replicationKey(crb_id, "sale"));
    await stage.table.update(replicationKey(crb_id, "sale"), { ...failed, succeeded_at: "2026-01-01T00:00:00.000Z" });
    const state = await expectDone("replication", "state", crb_id);
    expect(state).toMatch(
      new RegExp(`\\nsale +failed .* page\\?\\[2J 7 +unreachable +3 +${notBefore.slice(0, 19)}Z\\n`),
    );
    const [, first = ""] = (await expectDone("replication", "list")).split("\n");
    expect(first).toContain(name);
    expect(first).toMatch(/ Connected +\d+ h +sale \(unreachable\) +0 /);
    await stage.table.put(before ?? expect.fail("no state"));
  });

  test("the records that were set aside are listed, by id, field and reason", async () => {
    const { crb_id, name } = crbAt(0);
    expect(await expectDone("replication", "rejected", crb_id)).toBe(`Nothing of ${name} is set aside.\n`);
    const record = {
      pos_id: "S-1\u001b[31m",
      field: "items.0.price",
      reason: "invalid_type",
      at: "2026-03-01T12:00:00.000Z",
    };
    await stage.table.put({ ...rejectedRecordsKey(crb_id, "sale"), records: [record] });
    const listed = await expectDone("replication", "rejected", crb_id, "--kind", "sale");
    expect(listed).toMatch(/\nsale +S-1\?\[31m +items\.0\.price +invalid_type +2026-03-01T12:00:00Z\n$/);
    expect(await expectDone("replication", "rejected", crb_id, "--kind", "product")).toContain("Nothing");
  });

  test("a record is shown as callers get it, a customer is erased", async () => {
    const { crb_id, client_secret } = crbAt(2);
    const customer = await anyRecord(crb_id, "customers", client_secret);
    const shown = await expectDone("record", "show", crb_id, "customer", customer.id.toUpperCase());
    expect(JSON.parse(shown)).toEqual(customer);
    await expectRefused("has no customer", "record", "show", crb_id, "customer", randomUUID());
    await expectRefused("--yes", "customer", "erase", crb_id, customer.id);
    expect(await expectDone("customer", "erase", crb_id, customer.id, "--yes")).toContain("Erased customer");
    expect((await get(`/crbs/${crb_id}/customers/${customer.id}`, client_secret)).status).toBe(404);
    await expectRefused("has no customer", "customer", "erase", crb_id, customer.id, "--yes");
  });
});

describe("templates and POS", () => {
  const fileOf = (content: unknown) => {
    const file = join(temporaryDirectory(), "content.json");
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  test("a template is published from a file, and replaced by its next version", async () => {
    const requirement = {
      requirement_id: randomUUID(),
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
    const { client_secret } = stage.description.service_provider;
    const listed = (await (await get(`/service-providers/${spId()}/onboarding-templates`, client_secret)).json()) as {
      data: object[];
    };
    expect(listed.data[0]).toMatchObject({ template_id, name: "For all farms", version: "2" });
    const twice = fileOf({ ...template, document_requirements: [requirement, requirement] });
    await expectRefused("two requirements", "template", "publish", spId(), twice);
    await expectRefused("document_requirements", "template", "publish", spId(), fileOf({ name: "None" }));
    await expectRefused("no service provider", "template", "publish", randomUUID(), fileOf(template));
  });

  test("an invited CRB is connected to its POS, once, and replicated", async () => {
    const { crb_id, client_secret } = crbAt(3);
    const record = (await readCrb(stage.table, crb_id))?.record;
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
    await refused("are refused by the POS", { ...info, pos_credentials: { ...credentials, key: "invalid-password" } });
    await refused("locations: testing (Sandbox Store)", { ...info, location_id: "elsewhere" });
    if (record?.business_type) {
      const wrong = other === "Canix" ? { key: "secret-key" } : { key: "secret-key", clientId: "secret-id" };
      await refused("must serve", { ...info, pos_type: other, pos_credentials: wrong });
    }
    expect(await expectDone("pos", "connect", crb_id, fileOf(info))).toContain("first replication has begun");
    await refused("connected to a POS already", info);
    const total = async () => {
      const answer = await get(`/crbs/${crb_id}/customers?limit=1`, client_secret);
      return ((await answer.json()) as { metadata: { total: number } }).metadata.total;
    };
    await expect.poll(total, { timeout: 20_000, interval: 200 }).toBeGreaterThan(0);
    expect(JSON.stringify(await stage.table.queryPartition(`POS_CREDENTIALS#${crb_id}`))).not.toContain("secret-key");
  });
});

test("an association ends, and with it its credentials and its POS connection", async () => {
  const { crb_id, client_secret } = crbAt(2);
  const { client_secret: spKey } = stage.description.service_provider;
  const issued = await expectDone("credential", "issue", spId(), "--crb", crb_id);
  await expectRefused("--yes", "association", "end", crb_id);
  expect(await expectDone("association", "end", crb_id, "--yes")).toMatch(/Ended .*\nRevoked 2 of/);
  for (const key of [client_secret, factOf(issued, "client_secret")]) {
    expect((await get(`/crbs/${crb_id}`, key)).status).toBe(401);
  }
  expect((await get(`/service-providers/${spId()}/crbs/${crb_id}`, spKey)).status).toBe(404);
  const list = (await (await get(`/service-providers/${spId()}/crbs`, spKey)).json()) as {
    metadata: { total: number };
    data: { id: string }[];
  };
  expect(list.metadata.total).toBe(3);
  expect(list.data.map(({ id }) => id)).not.toContain(crb_id);
  expect(await readCrb(stage.table, crb_id)).toMatchObject({
    connection: null,
    record: { pos_configs: [{ status: "Not Connected" }] },
  });
  expect(await expectDone("association", "end", crb_id, "--yes")).toMatch(/no longer.\nRevoked 0/);
  await expectRefused("no service provider", "association", "pause", crb_id, "--yes");
  await expectRefused("no service provider", "credential", "issue", spId(), "--crb", crb_id);
});

describe("the program", () => {
  test("--help shows every command, and that of one its own options", async () => {
    const help = await expectDone("--help");
    for (const { name } of commands) expect(help).toMatch(new RegExp(`^  ${name}( |$)`, "m"));
    expect(await expectDone("credential", "issue", "--help")).toContain("--scope SCOPE");
  });

  test.each([
    [["sing"], "Unknown command sing"],
    [["credential", "sing"], "Unknown command credential sing"],
    [["--colour"], "Unknown command --colour"],
    [["credential", "list"], "SP_ID"],
    [["credential", "list", "x"], "SP_ID must be a uuid"],
    [["credential", "list", randomUUID(), "--colour"], "--colour"],
    [["credential", "issue", randomUUID(), "--crb", "x"], "CRB_ID must be a uuid"],
    [["credential", "issue", randomUUID()], "no service provider"],
    [["credential", "revoke", randomUUID(), "--yes"], "no credential"],
    [["association", "end", randomUUID(), "--yes"], "There is no CRB"],
    [["credential", "list", randomUUID(), "--stage", "prod"], "TABLE_NAME"],
  ])("%j is refused with one line", async (parameters, line) => expectRefused(line, ...parameters));

  test("without a stage says how to start one", async () => {
    const { code, err } = await runHere(operator, ["credential", "list", randomUUID(), "--data", "/nowhere"]);
    expect([code, err]).toEqual([1, expect.stringContaining("npm start")]);
  });

  test("does the same in a process of its own, with its exit code", async () => {
    const spawned = async (...parameters: string[]) => {
      const started = startProgram(join("..", "operator", "operator.ts"), [...parameters, "--data", data]);
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

test("what takes something away asks before, and does it for a yes alone", async () => {
  const issued = await expectDone("credential", "issue", spId());
  const clientId = factOf(issued, "client_id");
  const revoke = (typed: string) => runHere(operator, ["credential", "revoke", clientId, "--data", data], typed);
  const status = async () => (await get(`/service-providers/${spId()}`, factOf(issued, "client_secret"))).status;
  const question = `Revoke credential ${clientId} and all its tokens? [y/N] `;
  expect(await revoke("n\n")).toEqual({ code: 1, out: "", err: `${question}Nothing was changed.\n` });
  expect(await status()).toBe(200);
  expect(await revoke("y\n")).toEqual({ code: 0, out: `Revoked credential ${clientId}.\n`, err: question });
  expect(await status()).toBe(401);
});
