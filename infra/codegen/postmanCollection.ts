import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tags } from "../../shared/api/openapi/tags.ts";
import { type Operation, type Route, takesBody } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { exampleIds } from "../../shared/api/operations/examples.ts";
import { pathIdName } from "../../shared/api/path.ts";
import { description as apiDescription } from "./clientDescription.ts";
import { root } from "./generatedFile.ts";

/** The ids in paths that the collection writes as variables, because most requests need them. */
const collectionIds = ["sp_id", "crb_id"];

/** The parameters of paths that are not ids. */
const choices = ["kind", "action"];

const routes = operationRegistry.flatMap((operation) => operation.routes.map((route) => ({ operation, route })));

/** The variable of an id in a path. `client_id` is the caller's own, which must not be revoked. */
const variableOf = (id: string, path: string): string =>
  id === "client_id" ? "listed_client_id" : pathIdName(id, path);

const foundLicense = { license_id: "data[0].id", license_number: "data[0].license_identifier" };

/** The ids of records within responses, where no path of a list leads to them, and the number of a license. */
const nestedIds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getCrbOnboardingTemplate: {
    requirement_id: "standard_requirements[0].requirement_id",
    document_id: "standard_requirements[0].documents[0].id",
  },
  getOnboarding: {
    invited_requirement_id: "requirements[0].requirement_id",
    invited_document_id: "requirements[0].documents[0].id",
  },
  linkOnboardingLicenses: {
    invited_license_id: "licenses[0].id",
    invited_license_number: "licenses[0].license_identifier",
  },
  // Not the caller's own, and not that of persons, which has no keys.
  listCredentials: { listed_client_id: "data.find(({ owner }) => owner.kind === 'crb').client_id" },
  getIdentityProvider: { short_name: "short_name" },
  searchLicenses: foundLicense,
  listCrbLicenses: foundLicense,
};

const credentials: Partial<Record<Route["caller"], string>> = {
  serviceProvider: "client_secret",
  crb: "crb_client_secret",
  invitedUser: "invitation_token",
};

/**
 * A collection with a folder for each tag and a request for each route, in the format 2.1 of Postman, which Insomnia and
 * Bruno also read.
 */
export function postmanText(): string {
  const { info } = JSON.parse(readFileSync(join(root, apiDescription), "utf8"));
  const ids = routes.flatMap(({ route }) => pathIds(route.path));
  const collection = {
    info: {
      name: info.title,
      version: info.version,
      description:
        "Set the variables of the collection. On the local stage, .local/stage.env has their values. A list stores the id of its first record, and a creation that of the new one; requests by id use them.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: [
      { key: "base_url", value: "http://127.0.0.1:3000" },
      { key: "sp_id", value: exampleIds.serviceProvider },
      { key: "crb_id", value: exampleIds.crb },
      { key: "client_id", value: "" },
      ...[...new Set([...ids, "license_number"])].map((id) => ({ key: id, value: "" })),
      ...Object.values(credentials).map((key) => ({ key, value: "", type: "secret" })),
    ],
    event: [listener("prerequest", recentTimes)],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: routes
        .filter(({ operation, route }) => (route.tag ?? operation.tag) === name)
        .map(({ operation, route }) => requestItem(operation, route)),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function requestItem(operation: Operation, route: Route) {
  const [example] = Object.values(operation.requests ?? {});
  const credential = credentials[route.caller];
  const segments = route.path.slice(1).split("/");
  const isSent = takesBody(route) && operation.body !== undefined;
  const stored = Object.entries(storedIds(operation, route));
  return {
    name: route.summary ?? operation.summary,
    ...(stored.length > 0 && { event: [listener("test", storingScript(stored))] }),
    request: {
      method: route.method,
      description: operation.description,
      auth: credential ? keyOf(credential) : { type: "noauth" },
      header: isSent ? [{ key: "Content-Type", value: "application/json" }] : [],
      url: {
        raw: `{{base_url}}${route.path.replace(/\{(\w+)\}/g, (_, name) => placeholder(name))}`,
        host: ["{{base_url}}"],
        path: segments.map((segment) => segment.replace(/^\{(\w+)\}$/, (_, name) => placeholder(name))),
        variable: segments.flatMap((segment) => {
          const name = /^\{(\w+)\}$/.exec(segment)?.[1];
          if (!name || collectionIds.includes(name)) return [];
          const value = choices.includes(name) ? (example?.path?.[name] ?? "") : `{{${variableOf(name, route.path)}}}`;
          return [{ key: name, value }];
        }),
        query: Object.keys((route.query ?? operation.query).shape).map((key) => ({
          key,
          value: example?.query?.[key] ?? "",
          disabled: example?.query?.[key] === undefined,
        })),
      },
      ...(isSent && {
        body: {
          mode: "raw",
          raw: JSON.stringify({ ...example?.body, ...variablesOf(example?.body) }, null, 2),
          options: { raw: { language: "json" } },
        },
      }),
    },
  };
}

/** The variables of the ids in a path, except those of the collection. */
const pathIds = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !choices.includes(name) && !collectionIds.includes(name))
    .map((name) => variableOf(name, path));

/** Sets the times that must be recent. A constant in an example would be too old some day. */
const recentTimes = [`pm.collectionVariables.set("hour_ago", new Date(Date.now() - 3600000).toISOString());`];

/** The values of a body that depend on the caller, on a license that exists, or on the time. */
const variablesOf = (body: object = {}) => ({
  // Without `confirmed_licenses`, the license is linked at once.
  ...("confirmed_licenses" in body && { license_numbers: ["{{license_number}}"], confirmed_licenses: undefined }),
  // The key of the license on the local stage (infra/local/metrc/demoMetrcAccess.ts).
  ...("user_key" in body && { user_key: "demo-user-key" }),
  ...("client_secret" in body && { client_id: "{{client_id}}", client_secret: "{{client_secret}}" }),
  ...("from" in body && !("to" in body) && { from: "{{hour_ago}}" }),
});

/** Where a response has the ids that requests need: a path of its JSON for each name. */
function storedIds({ success }: Operation, { path, operationId }: Route): Readonly<Record<string, string>> {
  const nested = nestedIds[operationId];
  if (nested) return nested;
  const { data } = success.example as { data?: Readonly<Record<string, unknown>>[] };
  const [record, at] = data?.[0] ? [data[0], "data[0]."] : [success.example as object, ""];
  const names = routes.flatMap(({ route }) => {
    const name = route.path.startsWith(`${path}/{`)
      ? /^\{(\w+)\}(?:\/|$)/.exec(route.path.slice(path.length + 1))?.[1]
      : undefined;
    return name && !collectionIds.includes(name) && !choices.includes(name) ? [name] : [];
  });
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = [name, "id"].find((one) => one in record);
      return field ? [[variableOf(name, `${path}/{${name}}`), at + field]] : [];
    }),
  );
}

const storingScript = (ids: readonly (readonly [string, string])[]): string[] => [
  "const found = pm.response.code === 200 ? pm.response.json() : {};",
  ...ids.flatMap(([name, path]) => {
    const value = `found.${path}`.replaceAll(/(?<!found)\.|\[/g, (mark) => (mark === "[" ? "?.[" : "?."));
    return `if (${value}) pm.collectionVariables.set("${name}", ${value});`;
  }),
];

const listener = (listen: "prerequest" | "test", exec: string[]) => ({
  listen,
  script: { type: "text/javascript", exec },
});

const placeholder = (name: string): string => (collectionIds.includes(name) ? `{{${name}}}` : `:${name}`);

const keyOf = (variable: string) => ({
  type: "apikey",
  apikey: [
    { key: "key", value: "Authorization" },
    { key: "value", value: `{{${variable}}}` },
    { key: "in", value: "header" },
  ],
});
