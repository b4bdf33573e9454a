import { expect, test } from "vitest";
import { postmanText } from "../../../../infra/tools/generate/postmanCollection.ts";
import { operationRegistry } from "../../../../shared/api/operationRegistry.ts";

interface Item {
  name: string;
  item?: Item[];
  request?: {
    method: string;
    url: { raw: string; path: string[]; variable: { key: string }[] };
    body?: { raw: string };
  };
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
    if (body) expect(route.operation.body?.safeParse(JSON.parse(body.raw)).error).toBeUndefined();
  }
});
