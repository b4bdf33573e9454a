import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { APIGatewayProxyResult } from "aws-lambda";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { handler } from "../../../functions/description/referencePage.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import { sources } from "../../../shared/web/reference/sourceFiles.ts";
import { requestEvent } from "../../requestEvent.ts";
import { bundled } from "../pageUnderTest.ts";

const pageEvent = requestEvent({ resource: "/docs" });
const assetEvent = (file: string) => requestEvent({ resource: "/docs/{file}", path: { file } });

/** The addresses that a page loads or links to. */
const addressesIn = ({ body }: APIGatewayProxyResult) =>
  [...body.matchAll(/(?:src|href|data-document)="([^"]*)"/g)].map(([, address = ""]) => address);

const assetsOf = (page: APIGatewayProxyResult) =>
  new Set(addressesIn(page).flatMap((address) => /^docs\/(.+)$/.exec(address)?.[1] ?? []));

test("the page's policy allows its scripts and styles by a nonce that each response changes", async () => {
  const answers = [await handler(pageEvent), await handler(pageEvent)];
  const nonces = answers.map(({ statusCode, headers, body }) => {
    const nonce = /<meta property="csp-nonce" nonce="([\w-]{22})" content="\1"/.exec(body)?.[1];
    expect([statusCode, headers?.["Content-Type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = headers?.["Content-Security-Policy"];
    expect(policy).toContain(
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src-elem 'self' 'nonce-${nonce}';`,
    );
    return nonce;
  });
  expect(nonces[0]).not.toBe(nonces[1]);
});

test("llms.txt describes and links each guide, the description and the collection, which are all served", async () => {
  const index = await handler(requestEvent({ resource: "/llms.txt" }));
  expect(index.headers?.["Content-Type"]).toBe("text/plain; charset=utf-8");
  const rows = [...index.body.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): (.+)$/gm)];
  expect(rows.length).toBe(index.body.split("\n- ").length - 1);
  const guides = rows.flatMap(([, title, address = ""]) => (address.startsWith("docs/") ? [{ title, address }] : []));
  expect(guides.map(({ address }) => address)).toEqual(
    sources.guides.map((path) => path.replace("docs/guide/", "docs/")),
  );
  for (const { title, address } of guides) {
    const { statusCode, headers, body } = await handler(assetEvent(address.replace("docs/", "")));
    expect([statusCode, headers?.["Content-Type"]]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(body).toMatch(new RegExp(`^# ${title}\n`));
    // A stage serves only the guides, so a guide may not link to other files.
    expect(body).not.toContain("](../");
    for (const [, picture = ""] of body.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      const served = await handler(assetEvent(picture));
      expect([served.statusCode, served.headers?.["Content-Type"]], picture).toEqual([200, "image/svg+xml"]);
    }
  }
  const others = rows.flatMap(([, , address = ""]) => (address.startsWith("docs/") ? [] : [`/${address}`]));
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(others));
  const collection = await handler(requestEvent({ resource: "/postman.json" }));
  expect(JSON.parse(collection.body).info.schema).toContain("/collection/v2.1.0/");
});

test("every address in the page is relative, since a stage on AWS may have a path prefix", async () => {
  const addresses = addressesIn(await handler(pageEvent));
  expect(addresses.length).toBeGreaterThan(5);
  for (const address of addresses) expect(address).toMatch(/^(docs\/[\w.-]+|openapi\.json|#[\w/-]+)$/);
});

test("the files of the page may be cached forever and fit into a response of Lambda", async () => {
  const names = assetsOf(await handler(pageEvent));
  expect(names.size).toBe(8);
  for (const name of names) {
    const answer = await handler(assetEvent(name));
    expect(name).toMatch(/^\w+-[0-9a-f]{12}\.(css|js|json|svg)$/);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers?.["Cache-Control"]).toBe("public, max-age=31536000, immutable");
    expect(JSON.stringify(answer).length, name).toBeLessThan(6_291_556);
  }
});

test.each([
  ["/", "/docs"],
  ["/prod", "/prod/docs"],
  ["/prod/", "/prod/docs"],
])("the root of the API, at %s, leads to %s", async (path, location) => {
  const event = requestEvent({ resource: "/" });
  const answer = await handler({ ...event, requestContext: { ...event.requestContext, path } });
  expect([answer.statusCode, answer.headers?.Location, answer.body]).toEqual([302, location, ""]);
});

describe("the demo's data", () => {
  const service_provider = { sp_id: "one", client_id: "two", client_secret: "sk_three" };
  const crbs = [{ crb_id: "four", name: "Smith's & <Sons>", client_secret: "sk_five" }];
  const invitation = { crb_id: "six", invitation_token: "iv_seven" };
  const own = { host: "127.0.0.1:3000" };
  afterEach(() => vi.unstubAllEnvs());

  /** The attribute in the page. */
  async function demoIn(headers: Record<string, string>, isLocal = true): Promise<string> {
    const file = join(inject("temporaryDirectory"), "demo-of-page.json");
    writeFileSync(file, JSON.stringify({ base_url: "http://127.0.0.1:3000", service_provider, crbs, invitation }));
    vi.stubEnv("DEMO_FILE", isLocal ? file : undefined);
    const { body } = await handler({ ...pageEvent, headers, multiValueHeaders: {} });
    expect(body.includes("sk_three")).toBe(!body.includes('data-demo=""'));
    return /data-demo="([^"]*)"/.exec(body)?.[1] ?? expect.fail();
  }

  test.each(["127.0.0.1:3000", "localhost", "[::1]:3000"])("is in the page for %s", async (host) => {
    const attribute = await demoIn({ host });
    expect(attribute).not.toMatch(/[<"]/);
    const demo = attribute
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(JSON.parse(demo)).toEqual({ ...service_provider, crbs, invitation });
  });

  test.each([
    ["a page of another origin", { ...own, Origin: "https://evil.example" }],
    ["a name that was made to lead to this machine", { host: "evil.example:3000" }],
    ["a name that begins like this machine's", { host: "127.0.0.1.evil.example" }],
    ["a request without a host", {}],
  ])("is not in the page for %s", async (_who, headers) => {
    expect(await demoIn(headers as Record<string, string>)).toBe("");
  });

  test("is only in the page of the local stage", async () => {
    expect(await demoIn(own, false)).toBe("");
  });
});

test.each(["page.js", "scalar-000000000000.js", "..", "../../package.json", "__proto__"])(
  "a request for %s gets 404",
  async (file) => {
    const { statusCode, body } = await handler(assetEvent(file));
    expect([statusCode, JSON.parse(body).name]).toEqual([404, "Not Found"]);
  },
);

test("the page is the same when it is bundled for AWS, away from the project's files", async () => {
  const answersOf = await bundled("/docs");
  const [answer] = answersOf([pageEvent]);
  const names = [...assetsOf(answer ?? expect.fail())];
  expect(answersOf(names.map(assetEvent))).toEqual(await Promise.all(names.map((name) => handler(assetEvent(name)))));
});
