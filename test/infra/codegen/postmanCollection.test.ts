import { expect, test } from "vitest";
import { postmanText } from "../../../infra/codegen/postmanCollection.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";

interface Item {
  name: string;
  item?: Item[];
  request?: {
    method: string;
    url: { raw: string; path: string[]; variable: { key: string; value: string }[] };
    body?: { raw: string };
  };
  event?: { script: { exec: string[] } }[];
}

const collection = JSON.parse(postmanText()) as { item: Item[]; variable: { key: string }[] };
const requests = collection.item.flatMap(({ item = [] }) => item).flatMap(({ request }) => request ?? []);
const routes = operationRegistry.flatMap((operation) => operation.routes.map((route) => ({ ...route, operation })));

test("the collection has each route once", () => {
  const found = requests.map(({ method, url }) => `${method} ${url.raw.replace("{{base_url}}", "")}`);
  const expected = routes.map(({ method, path }) => {
    const raw = path.replace(/\{(sp_id|crb_id)\}/g, "{{$1}}").replace(/(?<!\{)\{(\w+)\}(?!\})/g, ":$1");
    return `${method} ${raw}`;
  });
  expect(found.sort()).toEqual(expected.sort());
});

test("every variable in a path has an entry, and every body is valid", () => {
  const variables = collection.variable.map(({ key }) => key);
  for (const { method, url, body } of requests) {
    const named = url.path.flatMap((segment) => /^:(\w+)$/.exec(segment)?.[1] ?? []);
    expect(url.variable.map(({ key }) => key)).toEqual(named);
    for (const [, name] of url.raw.matchAll(/\{\{(\w+)\}\}/g)) expect(variables).toContain(name);
    const path = url.raw
      .replace("{{base_url}}", "")
      .replace(/\{\{(\w+)\}\}|:(\w+)/g, (_, one, other) => `{${one ?? other}}`);
    const route = routes.find((one) => one.method === method && one.path === path) ?? expect.fail(path);
    if (!body) continue;
    // Postman fills the variables.
    const filled = body.raw.replace("{{hour_ago}}", new Date().toISOString());
    expect(route.operation.body?.safeParse(JSON.parse(filled)).error).toBeUndefined();
  }
});

test("each id in a path comes from a variable that a request before it stores", () => {
  const items = collection.item.flatMap(({ item = [] }) => item);
  const used = items.flatMap(({ request }) => request?.url.variable ?? []).map(({ value }) => value);
  const names = used.flatMap((value) => /^\{\{(\w+)\}\}$/.exec(value)?.[1] ?? []);
  expect(new Set(names).size).toBeGreaterThan(8);
  const scripts = items.flatMap(({ event = [] }) => event.flatMap(({ script }) => script.exec)).join("\n");
  for (const name of names) expect(scripts).toContain(`pm.collectionVariables.set("${name}"`);
});

test("the exchange of a token takes the caller's pair", () => {
  const exchange = requests.find(({ url }) => url.raw.endsWith("/auth/token"));
  const pair = { client_id: "{{client_id}}", client_secret: "{{client_secret}}" };
  expect(JSON.parse(exchange?.body?.raw ?? "{}")).toMatchObject(pair);
});

/** A period in the past never ends, so a report of it can be requested on any day. */
const isLasting = (handler: string) => handler === "accessReports/createAccessReport";

test("the only instant in an example of a request is one that the page, the collection and the samples fill", () => {
  const instants = operationRegistry.flatMap(({ handler, requests = {} }) =>
    Object.values(requests).flatMap(({ path, query, body }) =>
      [...JSON.stringify({ path, query, body }).matchAll(/"(\w+)":"\d{4}-\d\d-\d\dT[^"]*"/g)].map(([, name]) => [
        handler,
        name,
      ]),
    ),
  );
  const passing = instants.filter(([handler = ""]) => !isLasting(handler));
  expect(passing).toEqual([["webhooks/replayWebhookEndpoint", "from"]]);
});

test("no request has an instant, which would be too old or past some day", () => {
  const others = requests.filter(({ url }) => !url.raw.endsWith("/access-reports"));
  for (const { body, url } of others) expect(`${body?.raw}${JSON.stringify(url)}`).not.toMatch(/\d{4}-\d\d-\d\dT/);
});
