import { openApi } from "../../../shared/api/openapi/openApi.ts";
import { tags } from "../../../shared/api/openapi/tags.ts";
import { type Operation, type Route, takesBody } from "../../../shared/api/operation.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { exampleIds } from "../../../shared/api/operations/examples.ts";
import type { FileTexts } from "./committedFiles.ts";

/** The ids that are variables of the collection, because most requests need them. */
const collectionIds = ["sp_id", "crb_id"];

/** The credential of each kind of caller, as a variable of the collection. */
const credentials: Partial<Record<Route["caller"], string>> = {
  serviceProvider: "client_secret",
  crb: "crb_client_secret",
  invitedUser: "invitation_token",
};

export const postmanFiles = (): FileTexts => new Map([["docs/postman.json", postmanText()]]);

/**
 * A collection with a folder for each tag and a request for each route, in the format 2.1 of Postman, which Insomnia and
 * Bruno also read.
 */
export function postmanText(): string {
  const { info } = openApi();
  const routes = operationRegistry.flatMap((operation) => operation.routes.map((route) => ({ operation, route })));
  const collection = {
    info: {
      name: info.title,
      version: info.version,
      description: "Set the variables of the collection. On the local stage, .local/stage.env has their values.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: [
      { key: "base_url", value: "http://127.0.0.1:3000" },
      { key: "sp_id", value: exampleIds.serviceProvider },
      { key: "crb_id", value: exampleIds.crb },
      ...Object.values(credentials).map((key) => ({ key, value: "", type: "secret" })),
    ],
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
  return {
    name: route.summary ?? operation.summary,
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
          return name && !collectionIds.includes(name) ? [{ key: name, value: example?.path?.[name] ?? "" }] : [];
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
          raw: JSON.stringify(example?.body ?? {}, null, 2),
          options: { raw: { language: "json" } },
        },
      }),
    },
  };
}

const placeholder = (name: string): string => (collectionIds.includes(name) ? `{{${name}}}` : `:${name}`);

const keyOf = (variable: string) => ({
  type: "apikey",
  apikey: [
    { key: "key", value: "Authorization" },
    { key: "value", value: `{{${variable}}}` },
    { key: "in", value: "header" },
  ],
});
