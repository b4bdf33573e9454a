import { afterEach, describe, expect, test, vi } from "vitest";
import { intacctConnector } from "../../../../../shared/pos/connectors/intacct/intacctConnector.ts";
import { writeXml } from "../../../../../shared/pos/connectors/intacct/xml.ts";
import type { FakeIntacct } from "../../fakes/fakeIntacct.ts";
import { connectorTo } from "../../fakes/fakePos.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import type { Fault } from "../../fakes/fakeServer.ts";
import { PulledRecords } from "../../fakes/pulls.ts";

const fake = new FakePosUnderTest("intacct", "2026-03-10T19:30:00.000Z");
const intacct = () => fake.pos.server as FakeIntacct;
const logins = () => intacct().requests.filter(({ body }) => body.includes("<login>"));

afterEach(() => void vi.restoreAllMocks());

describe("the service's own keys", () => {
  test.each(["id", "password"])(
    "make Intacct unreachable if the %s is wrong: it is not the business's fault",
    async (key) => {
      const { POS_INTACCT_SENDER_ID: id, POS_INTACCT_SENDER_PASSWORD: password } = intacct().partnerKeys;
      const partnerKeys = {
        POS_INTACCT_SENDER_ID: key === "id" ? "another" : id,
        POS_INTACCT_SENDER_PASSWORD: key === "password" ? "another" : password,
      };
      const connector = connectorTo("intacct", { ...fake.pos.address, partnerKeys });
      const failure = { failure: "unreachable", code: "XL03000006" };
      await expect(connector.verify(fake.pos.connection)).rejects.toMatchObject(failure);
      const pull = new PulledRecords(connector, fake.pos.connection, "sale").pull(fake.now);
      await expect(pull).rejects.toMatchObject(failure);
    },
  );
});

test("a password may have spaces and any letters, but no control characters", async () => {
  const verify = (user_password: string) => {
    Object.assign(intacct().credentials, { user_password });
    const credentials = { ...fake.pos.connection.credentials, user_password };
    return fake.verify({ credentials });
  };
  expect(await verify("Größe <&> 9 花")).toHaveLength(2);
  const requested = intacct().requests.length;
  await expect(verify("a\nb")).rejects.toMatchObject({ failure: "credentialsRefused", code: "form" });
  expect(intacct().requests).toHaveLength(requested);
});

describe("the endpoint of a session", () => {
  /** The requested URLs if Intacct's login returns this endpoint. */
  async function urlsWith(endpoint: string): Promise<{ requested: string[]; failure: unknown }> {
    const requested: string[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
      requested.push(String(url));
      const result = { status: "success", data: { api: { sessionid: "s", endpoint } } };
      const operation = { authentication: { status: "success" }, result };
      return new Response(writeXml({ response: { control: { status: "success" }, operation } }));
    });
    const sender = { id: "i", password: "p" };
    const connector = intacctConnector({ url: "https://api.intacct.com", requestsPerSecond: 1e9, sender });
    const failure = await connector.verify(fake.pos.connection).catch((error: unknown) => error);
    return { requested, failure };
  }
  const home = "https://api.intacct.com/ia/xml/xmlgw.phtml";

  test.each([
    "https://api-p301.intacct.com/ia/xml/xmlgw.phtml",
    "https://API.Intacct.com:443/other",
    "https://user:password@eu.api.intacct.com/other?query#hash",
  ])("%s is Intacct's", async (endpoint) => {
    const { host, pathname } = new URL(endpoint);
    expect((await urlsWith(endpoint)).requested).toEqual([home, `https://${host}${pathname}`]);
  });

  test.each([
    "http://api.intacct.com/ia/xml/xmlgw.phtml",
    "https://api.intacct.com:8443/ia/xml/xmlgw.phtml",
    "https://evil-intacct.com/ia/xml/xmlgw.phtml",
    "https://intacct.com/ia/xml/xmlgw.phtml",
    "https://api.intacct.com.evil.example/ia/xml/xmlgw.phtml",
    "https://api.intacct.com@evil.example/ia/xml/xmlgw.phtml",
    "https://evil.example/.intacct.com",
    "https://evil.example?.intacct.com",
    "https://evil.example#.intacct.com",
    "https://evil.example\\.intacct.com",
    "https://127.0.0.1/ia/xml/xmlgw.phtml",
    "https://169.254.169.254/latest/meta-data",
    "ftp://api.intacct.com/ia",
    "file:///.intacct.com",
    "//evil.example/x.intacct.com",
    "api.intacct.com",
    "",
  ])("%j is not Intacct's, and is never requested", async (endpoint) => {
    const { requested, failure } = await urlsWith(endpoint);
    expect(requested).toEqual([home]);
    expect(failure).toMatchObject({ failure: "notUnderstood" });
    if (endpoint) expect(String(failure) + JSON.stringify(failure)).not.toContain(endpoint);
  });

  test.each(["https://api.intacct.com/ia/p2/xmlgw.phtml", "http://127.0.0.1:1/ia/p2/xmlgw.phtml"])(
    "is that of the test double if one is configured, and not %s",
    async (endpoint) => {
      intacct().endpoint = endpoint;
      const failure = { failure: "notUnderstood", code: "endpoint" };
      await expect(fake.verify()).rejects.toMatchObject(failure);
    },
  );
});

describe("an expired session", () => {
  const over: Fault = { kind: "answer", answer: { status: 498 } };

  test("is replaced by another one, once", async () => {
    const connector = fake.pos.connector();
    const pulled = new PulledRecords(connector, fake.pos.connection, "customer");
    await pulled.pull(fake.now);
    intacct().sessions.clear();
    await pulled.pull(fake.later(60));
    intacct().faults = ({ body, number }) =>
      body.includes("<object>CUSTOMER<") && number % 5 === 0 ? over : undefined;
    await pulled.pull(fake.later(60));
    expect(pulled.records).toEqual(await fake.afresh("customer"));
  });

  test("that expires each time leaves the records unread, and the credentials as they are", async () => {
    intacct().faults = ({ body }) => (/<query><object>CUSTOMER</.test(body) ? over : undefined);
    await expect(fake.pull("customer")).rejects.toMatchObject({ failure: "notPermitted" });
    expect(logins().length).toBeLessThan(5);
  });
});
