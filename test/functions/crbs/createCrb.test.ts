import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { crbCore } from "../../../shared/api/schemas/crb.ts";
import { standardTemplate } from "../../../shared/domain/onboarding/standardTemplate.ts";
import { putTemplate } from "../../../shared/domain/onboarding/templates.ts";
import { log } from "../../../shared/platform/aws/log.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { crbRecord } from "../../crbRecord.ts";
import { useTestTable } from "../../useTestTable.ts";
import { useCreation, user, valid } from "./useCreation.ts";

const table = useTestTable();
const { given, queued } = useCreation(table);

const pos = (pos_type: string, pos_credentials: object, more: object = {}) => ({
  pos_info: { pos_type, pos_credentials, ...more },
});
const signIn = { username: "testing", password: "valid-password" };
const locations = [{ id: "testing", name: "Sandbox Store", address: "1 Test Street" }];
const org = (more: object) => ({ org: { ...valid.org, ...more } });

async function expectRefused(body: unknown, fields: string[], more: { data?: unknown } = {}) {
  const { create, listed } = await given();
  const { status, json } = await create(body);
  expect([status, Object.keys(json.fields ?? {}).sort()]).toEqual([422, [...fields].sort()]);
  expect(json.data).toEqual(more.data);
  expect(await listed()).toEqual([]);
  expect(queued).toMatchObject({ replication: [], invitations: [] });
  return json.fields;
}

describe("a CRB can be created", () => {
  test("with POS credentials and without users", async () => {
    const { create, listed } = await given();
    const { status, json } = await create(valid);
    expect(status).toBe(200);
    expect(crbCore.parse(json)).toEqual(json);
    expect(await listed()).toMatchObject([json]);
    expect(queued.invitations).toEqual([]);
    expect(queued.replication).toEqual(
      ["location", "product", "customer", "inventory", "sale"].map((kind) => ({ crb_id: json.id, kinds: [kind] })),
    );
  });

  test("with POS credentials and users to invite", async () => {
    const { create } = await given();
    const { json } = await create({ ...valid, users: [user] });
    expect(queued.invitations).toEqual([{ crb_id: json.id }]);
    expect(queued.replication).toHaveLength(5);
  });

  test("with users to invite and without POS credentials", async () => {
    const { create, listed } = await given();
    const { status, json } = await create({ org: valid.org, users: [user] });
    expect(status).toBe(200);
    expect(await listed()).toMatchObject([{ ...json, pos_configs: [] }]);
    expect(queued).toMatchObject({ replication: [], invitations: [{ crb_id: json.id }] });
  });

  test.each([[undefined], [[]]])("but not with neither of them: users %j", (users) =>
    expectRefused({ org: valid.org, users }, ["body.pos_info", "body.users"]),
  );
});

describe("the shape of a body is checked:", () => {
  test.each<[string, unknown, string[]]>([
    ["no org", { users: [user] }, ["body.org"]],
    [
      "org without its required fields",
      { org: {}, users: [user] },
      ["body.org.name", "body.org.state", "body.org.business_type"],
    ],
    ["name of blanks", { ...valid, ...org({ name: "  " }) }, ["body.org.name"]],
    ["unknown state", { ...valid, ...org({ state: "ZZ" }) }, ["body.org.state"]],
    [
      "unlisted fields at every level",
      {
        ...valid,
        ...org({ id: 1 }),
        x: 1,
        options: { y: 1 },
        users: [{ ...user, z: 1 }],
        pos_info: { ...valid.pos_info, w: 1 },
      },
      ["body.org.id", "body.x", "body.options.y", "body.users.0.z", "body.pos_info.w"],
    ],
    ["business types that differ", { ...valid, business_type: "wholesale" }, ["body.business_type"]],
    ["address of no e-mail form", { ...valid, users: [user, { ...user, email: "robin" }] }, ["body.users.1.email"]],
    [
      "e-mail address of 255 characters",
      { ...valid, ...org({ primary_contact_email: `${"x".repeat(243)}@example.com` }) },
      ["body.org.primary_contact_email"],
    ],
    ["101 users", { ...valid, users: Array.from({ length: 101 }, () => user) }, ["body.users"]],
    ["null", { ...valid, ...org({ ein: null, dba: null }) }, ["body.org.ein", "body.org.dba"]],
    ["POS that cannot be connected", { ...valid, ...pos("MJ Freeway", {}) }, ["body.pos_info.pos_type"]],
    [
      "location of another type",
      { ...valid, pos_info: { ...valid.pos_info, location_id: true } },
      ["body.pos_info.location_id"],
    ],
    [
      "names with what does not show",
      {
        ...valid,
        ...org({ name: "Sun\u200drise", dba: "Sun\u001b[2Jrise" }),
        users: [{ ...user, firstName: "Robin\u202e", lastName: "Rey\nes" }],
      },
      ["body.org.name", "body.org.dba", "body.users.0.firstName", "body.users.0.lastName"],
    ],
    [
      "names with an address",
      {
        ...valid,
        ...org({ name: "Win at http://evil.example", dba: "x://" }),
        users: [user, { ...user, firstName: "https://evil.example", lastName: "://" }],
      },
      ["body.org.name", "body.org.dba", "body.users.1.firstName", "body.users.1.lastName"],
    ],
    ["a website of another scheme", { ...valid, ...org({ website: "javascript:a.b" }) }, ["body.org.website"]],
    ["a detail that breaks its pattern", { ...valid, ...org({ phone_number: "555" }) }, ["body.org.phone_number"]],
  ])("%s", (_, body, fields) => expectRefused(body, fields));

  test("business_type may be sent outside org", async () => {
    const { create, listed } = await given();
    const { business_type, ...rest } = valid.org;
    await create({ ...valid, org: rest, business_type });
    expect(await listed()).toMatchObject([{ business_type }]);
  });
});

test("onboarding requires a user", () =>
  expectRefused({ ...valid, options: { onboarding_required: true } }, ["body.users"]));

describe("a template", () => {
  test("that does not exist gets 422", () =>
    expectRefused({ ...valid, ...org({ template_id: randomUUID() }) }, ["body.org.template_id"]));
  test("whose id is no uuid gets 422", () =>
    expectRefused({ ...valid, ...org({ template_id: "x" }) }, ["body.org.template_id"]));

  test("that is not published or belongs to another service provider gets 422", async () => {
    const { create, spId } = await given();
    const { published_date: _, published_by: __, ...draft } = standardTemplate;
    const [mine, theirs] = [randomUUID(), randomUUID()];
    await putTemplate(table(), spId, { ...draft, template_id: mine });
    await putTemplate(table(), randomUUID(), { ...standardTemplate, template_id: theirs });
    for (const template_id of [mine, theirs]) {
      const { status, json } = await create({ ...valid, ...org({ template_id }) });
      expect([status, json.fields]).toEqual([
        422,
        { "body.org.template_id": { message: expect.any(String), value: template_id } },
      ]);
    }
  });

  test("is the one sent, in any letter case, otherwise the newest published one, otherwise the standard one", async () => {
    const { create, spId, listed } = await given();
    await create(valid);
    const [older, newer] = [randomUUID(), randomUUID()];
    const published = (template_id: string, published_date: string) =>
      putTemplate(table(), spId, { ...standardTemplate, template_id, published_date });
    await published(newer, "2026-05-02T00:00:00.000Z");
    await published(older, "2026-05-01T00:00:00.000Z");
    await create({ ...valid, ...org({ name: "Two" }) });
    await create({ ...valid, ...org({ name: "Three", template_id: older.toUpperCase() }) });
    expect((await listed()).map(({ template_id }) => template_id)).toEqual([
      older,
      newer,
      standardTemplate.template_id,
    ]);
  });
});

test.each([
  ["Canix", "retail", { key: "k" }, "testing"],
  ["Alleaves", "wholesale", signIn, undefined],
])("%s is not a POS type for %s", (type, business_type, credentials, location_id) =>
  expectRefused({ ...pos(type, credentials, { location_id }), ...org({ business_type }) }, [
    "body.org.business_type",
    "body.pos_info.pos_type",
  ]),
);

describe("a set of credentials is checked:", () => {
  test.each<[string, object, string[]]>([
    ["Alleaves", {}, ["password", "username"]],
    ["Alleaves", { ...signIn, more: "x" }, ["more"]],
    ["Alleaves", { username: 1, password: "" }, ["username", "password"]],
    ["Alleaves", { ...signIn, password: "x".repeat(256) }, ["password"]],
    ["Alleaves", { ...signIn, password: " \t\n" }, ["password"]],
    ["Alleaves", { ...signIn, password: "half\ud800" }, ["password"]],
    ["Alleaves", { ...signIn, ["__proto__"]: "x" }, ["__proto__"]],
    ["Alleaves", { ...signIn, ["__proto__"]: null, more: 1 }, ["__proto__", "more"]],
    ["Alleaves", { ...signIn, constructor: "x" }, ["constructor"]],
    ["IndicaOnline", { apiKey: "x", officeId: "7" }, ["officeId"]],
    ["Dutchie", {}, ["medApiKey", "recApiKey"]],
    ["Dutchie", { medApiKey: "x", recApiKey: 5 }, ["recApiKey"]],
  ])("%s with %j", async (type, credentials, properties) => {
    const names = properties.map((property) => `body.pos_info.pos_credentials.${property}`);
    const fields = await expectRefused({ ...valid, ...pos(type, credentials) }, names);
    expect(JSON.stringify(fields)).not.toContain('"value"');
  });
});

test("credentials that are no object are reported as a whole", async () => {
  for (const sent of [null, "hunter2", ["hunter2"]]) {
    const { create } = await given();
    const { status, json } = await create({ ...valid, pos_info: { ...valid.pos_info, pos_credentials: sent } });
    expect([status, json.fields]).toEqual([422, { "body.pos_info.pos_credentials": { message: "must be an object" } }]);
  }
});

test("a credential may have several lines, and white space around it is removed", async () => {
  const key = "-----BEGIN KEY-----\nMC4CAQAw\n-----END KEY-----";
  for (const [name, credentials] of Object.entries({
    lines: { ...pos("Treez", { apiKey: key, dispensaryName: "x" }) },
    blanks: { ...pos("Alleaves", { username: " testing", password: `valid-password${" ".repeat(300)}\n` }) },
  })) {
    const { create } = await given();
    expect((await create({ ...valid, ...org({ name }), ...credentials })).status).toBe(200);
  }
});

test("a credential that fits no HTTP header is rejected, is not sent to the POS and is not logged", async () => {
  vi.stubEnv("POS_CONNECTORS", "real");
  const logged = (["debug", "info", "warn", "error"] as const).map((level) => vi.spyOn(log, level));
  const sent = pos("Flowhub", { key: "hunter2\nX-Other: 1", clientId: "x" }, { location_id: "x" });
  const fields = await expectRefused({ ...valid, ...sent }, ["body.pos_info.pos_credentials"]);
  expect(fields).toEqual({
    "body.pos_info.pos_credentials": { message: "are rejected by the POS; check each of them" },
  });
  expect(JSON.stringify(logged.map(({ mock }) => mock.calls))).not.toContain("hunter2");
  expect(logged.flatMap(({ mock }) => mock.calls).map(([message]) => message)).toEqual(["access"]);
  vi.restoreAllMocks();
});

test("the first six checks report all their errors together", () =>
  expectRefused(
    {
      org: { state: "CO", business_type: "wholesale", template_id: randomUUID(), city: "7" },
      ...pos("Alleaves", { username: 1 }),
      options: { onboarding_required: true },
    },
    [
      "body.org.name",
      "body.org.city",
      "body.users",
      "body.org.template_id",
      "body.org.business_type",
      "body.pos_info.pos_type",
      "body.pos_info.pos_credentials.username",
      "body.pos_info.pos_credentials.password",
    ],
  ));

test("a POS type without connector in this stage gets 422, together with the errors of the first six checks", async () => {
  vi.stubEnv("POS_CONNECTORS", "");
  await expectRefused({ ...valid, ...org({ city: "7" }) }, ["body.pos_info.pos_type", "body.org.city"]);
});

test("prod rejects an experimental POS type unless its settings list it", async () => {
  vi.stubEnv("STAGE", "prod");
  vi.stubEnv("POS_CONNECTORS", "real");
  const fields = await expectRefused(valid, ["body.pos_info.pos_type"]);
  expect(fields).toMatchObject({
    "body.pos_info.pos_type": {
      message: "is not offered by this stage; getPosCredentialsSchema lists the POS types that are",
    },
  });
  vi.stubEnv("EXPERIMENTAL_CONNECTORS", valid.pos_info.pos_type);
  const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("", { status: 401 }));
  await expectRefused(valid, ["body.pos_info.pos_credentials"]);
  expect(fetched).toHaveBeenCalled();
  vi.restoreAllMocks();
});

describe("the sandbox", () => {
  const credentials = ["body.pos_info.pos_credentials"];
  const location = ["body.pos_info.location_id"];
  const biotrack = { ...signIn, server_ip: "192.0.2.1", port: 5432, database_name: "store" };

  test.each<[string, object]>([
    ["username testing, password invalid-password", { ...signIn, password: "invalid-password" }],
    ["another password", { ...signIn, password: "other" }],
    ["another username", { ...signIn, username: "other" }],
  ])("rejects credentials with %s", async (_, sent) => {
    const fields = await expectRefused({ ...valid, ...pos("Alleaves", sent) }, credentials);
    expect(fields[credentials[0] as string]).not.toHaveProperty("value");
  });
  test.each<[string, object]>([
    ["Treez", { apiKey: "invalid-password", dispensaryName: "x" }],
    ["Dutchie", { medApiKey: "invalid-password", recApiKey: "x" }],
  ])("rejects invalid-password for %s, whose credentials are no username and password", (type, sent) =>
    expectRefused({ ...valid, ...pos(type, sent) }, credentials),
  );

  test.each<[string, object, string | undefined]>([
    ["Alleaves", signIn, undefined],
    ["Alleaves", signIn, "testing"],
    ["Treez", { apiKey: "x", dispensaryName: "x" }, undefined],
    ["BioTrack", biotrack, "testing"],
  ])("accepts %s with location %s", async (type, sent, location_id) => {
    const { create, listed } = await given();
    const { status, json } = await create({ ...valid, ...pos(type, sent, location_id ? { location_id } : {}) });
    expect(status).toBe(200);
    expect(await listed()).toMatchObject([{ pos_configs: [{ name: type, status: "Connected" }] }]);
    expect((await readCrb(table(), json.id))?.connection).toMatchObject({
      posType: type,
      locationId: location_id ?? null,
    });
  });

  test.each<[string, string, object, object]>([
    ["absent where required", "BioTrack", biotrack, {}],
    ["empty where required", "BioTrack", biotrack, { location_id: "" }],
    ["empty where not required", "Alleaves", signIn, { location_id: "" }],
    ["invalidLocation", "BioTrack", biotrack, { location_id: "invalidLocation" }],
    ["invalidLocation where not required", "Alleaves", signIn, { location_id: "invalidLocation" }],
    ["any other", "BioTrack", biotrack, { location_id: "elsewhere" }],
    ["a number", "BioTrack", biotrack, { location_id: 7 }],
  ])("returns the locations if the location is %s", (_, type, sent, more) =>
    expectRefused({ ...valid, ...pos(type, sent, more) }, location, { data: { locations } }),
  );

  test("reports wrong credentials before a wrong location, and a wrong location before a connected organization", async () => {
    const { create } = await given();
    await create(valid);
    const wrong = pos("Alleaves", { ...signIn, password: "other" }, { location_id: "elsewhere" });
    expect(Object.keys((await create({ ...valid, ...wrong })).json.fields)).toEqual(credentials);
    const misplaced = pos("Alleaves", signIn, { location_id: "elsewhere" });
    expect(Object.keys((await create({ ...valid, ...misplaced })).json.fields)).toEqual(location);
    expect((await create(valid)).status).toBe(409);
  });
});

describe("an organization that is already connected gets 409:", () => {
  const one = { name: "Sunrise Collective", state: "CO", ein: "84-1111111" };

  test.each<[string, object, object, number]>([
    ["equal EIN", one, { name: "Other", state: "WA", ein: one.ein }, 409],
    ["other EIN, equal name and state", one, { ...one, ein: "84-2222222" }, 409],
    ["other EIN, equal name in another state", one, { ...one, ein: "84-2222222", state: "WA" }, 200],
    ["no EIN, equal name and state", one, { name: "  sunrise COLLECTIVE ", state: "CO" }, 409],
    ["no EIN, equal name with more blanks", one, { name: "Sunrise \u00a0 Collective", state: "CO" }, 409],
    ["no EIN, equal name in wide letters", one, { name: "Ｓｕｎｒｉｓｅ　Collective", state: "CO" }, 409],
    ["no EIN, equal name in another state", one, { name: one.name, state: "WA" }, 200],
    ["no EIN, another name", one, { name: "Sunrise", state: "CO" }, 200],
    ["EIN where the first had none, equal name and state", { name: one.name, state: "CO" }, one, 409],
    ["EIN where the first had none, another name", { name: "Sunrise", state: "CO" }, one, 200],
  ])("%s: %j then %j gives %i", async (_, first, second, expected) => {
    const { create } = await given();
    const { json } = await create({ ...valid, ...org({ ein: undefined, ...first }) });
    const { status, json: answer } = await create({ ...valid, ...org({ ein: undefined, ...second }) });
    expect(status).toBe(expected);
    if (expected === 409) {
      expect(answer).toEqual({
        name: "Conflict",
        code: "already_connected",
        message: expect.any(String),
        status: 409,
        data: { org_id: json.id, name: one.name },
      });
    }
  });

  test("an invited CRB excludes others with its EIN, also with a changed one", async () => {
    const { create, call } = await given();
    const invited = await create({ ...org({ ein: one.ein }), users: [user] });
    const again = await create({ ...org({ ein: one.ein, name: "Two" }), users: [user] });
    expect([again.status, again.json.code]).toEqual([409, "already_invited"]);
    const connected = await create({ ...valid, ...org({ ein: one.ein, name: "Three" }) });
    expect([connected.status, connected.json.code]).toEqual([409, "already_connected"]);
    await call("updateCrbInfo", { body: { ein: "84-3333333" }, path: { crb_id: invited.json.id } });
    expect((await create({ ...valid, ...org({ ein: "84-3333333", name: "Four" }) })).json.data.org_id).toBe(
      invited.json.id,
    );
  });

  test("parallel creations of CRBs that share an EIN or a name and state connect only one of them", async () => {
    const [byEin, byName] = [org({ ...one, name: "Another" }), org({ name: one.name, ein: "84-2222222" })];
    for (const others of [[byEin], [byName], [org({ name: one.name }), byEin]]) {
      const { create, listed } = await given();
      const answers = await Promise.all([org(one), ...others].map((body) => create({ ...valid, ...body })));
      const connected = answers.filter(({ status }) => status === 200);
      expect(await listed()).toHaveLength(connected.length);
      // In the last case, the two others have nothing in common, so that both may be connected.
      expect(connected.length).toBeLessThanOrEqual(others.length);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(answers.length - connected.length);
    }
  });

  test("CRBs of other service providers do not count", async () => {
    const [{ create }, other] = [await given(), await given()];
    expect((await create(valid)).status).toBe(200);
    expect((await other.create(valid)).status).toBe(200);
  });

  test("of parallel creations of the same organization, one gets 200 and the others 409", async () => {
    const { create, listed } = await given();
    const answers = await Promise.all([0, 1, 2, 3].map(() => create(valid)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await listed()).toHaveLength(1);
    const made = answers.find(({ status }) => status === 200);
    for (const { status, json } of answers) if (status === 409) expect(json.data.org_id).toBe(made?.json.id);
  });
});

describe("a created CRB", () => {
  test("has the documented defaults, with the status svc_approved and a connected POS", async () => {
    const { create, listed } = await given();
    const { json } = await create(valid);
    const [record] = await listed();
    expect(record).toEqual({
      ...crbRecord(json.id),
      name: "Sunrise Collective",
      timezone: "America/Denver",
      template_id: standardTemplate.template_id,
      template_result_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "svc_approved",
      org_type: "dispensary",
      pos_configs: [{ name: "Alleaves", updated_date: expect.stringMatching(/Z$/), status: "Connected" }],
    });
    expect(Object.keys(json)).toEqual(Object.keys(crbCore.shape));
  });

  test("has the values that were sent", async () => {
    const details = {
      timezone: "America/Boise",
      street_address: "1 Main Street",
      street_address_2: "",
      city: "Boise",
      postal_code: "83701",
      country: "United States",
      mailing_street_address: "PO Box 1",
      mailing_city: "Boise",
      mailing_state: "ID",
      mailing_postal_code: "83702",
      ein: "82-1111111",
      phone_number: "(208) 555-0100",
      website: "example.com",
      ftEmployees: 1,
      ptEmployees: 0,
      entityType: "llc",
      dba: "Sunrise",
      monthlyCustomers: 12,
    };
    const { create, listed } = await given();
    const sent = { ...details, monthlySales: 20000, established_date: "2016-02-29T00:00:00Z" };
    const { json } = await create({ ...valid, ...org({ ...sent, primary_contact_email: "notices@example.com" }) });
    const expected = { ...details, monthlySales: "20000", established_date: "2016-02-29" };
    expect(json).toMatchObject(expected);
    expect(await listed()).toMatchObject([expected]);
    expect((await readCrb(table(), json.id))?.primaryContactEmail).toBe("notices@example.com");
    expect(json).not.toHaveProperty("primary_contact_email");
  });

  test("is svc_pending if onboarding is required, and has the operator's address if no contact is named", async () => {
    vi.stubEnv("SUPPORT_EMAIL", "support@example.com");
    const { create, listed } = await given();
    const { json } = await create({ org: valid.org, users: [user], options: { onboarding_required: true } });
    expect(await listed()).toMatchObject([{ status: "svc_pending" }]);
    expect((await readCrb(table(), json.id))?.primaryContactEmail).toBe("support@example.com");
  });

  test.each([
    ["GU", "Pacific/Guam"],
    ["AP", "America/Los_Angeles"],
    ["IN", "America/Indiana/Indianapolis"],
  ])("has the time zone of its state: %s", async (state, timezone) => {
    const { create } = await given();
    expect((await create({ ...valid, ...org({ state }) })).json.timezone).toBe(timezone);
  });
});
