import { createDocument, type ZodOpenApiOverrideContext } from "zod-openapi";
import { operationRegistry } from "../operationRegistry.ts";
import { about } from "./about.ts";
import { operationObject, requiredBody } from "./operationObject.ts";
import { tags } from "./tags.ts";

export type Description = ReturnType<typeof createDocument>;

/** The version of the interface (docs/spec.md#compatibility). */
const version = "1.0.0";

/**
 * Builds the OpenAPI 3.1 description of the API from the operation registry.
 *
 * @param closed whether responses may have only the described fields. The published description allows other fields,
 * since old clients must accept new fields (docs/spec.md#compatibility). A test checks responses against the closed
 * description.
 */
export function openApi({ closed = false } = {}): Description {
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Cannabis Business Data Access",
        version,
        description: about,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/", description: "The stage that served this description" }],
      tags: [...tags],
      security: [{ access_auth: [] }],
      components: { securitySchemes: { access_auth } },
      paths: paths(),
    },
    { override: simplify },
  );
  return closed ? document : withOpenAnswers(document);
}

const access_auth = {
  type: "apiKey",
  in: "header",
  name: "Authorization",
  description:
    "An API key (`sk_…`) or an access token (`at_…`), as the only value of the header; a leading `Bearer ` is accepted. Only the token exchange also accepts a client id and secret as `Basic`. An API key has all scopes of its credential. An access token has the scopes that it was issued with and is valid for 3600 seconds. An invitation token (`iv_…`) gives access only to the paths below `/onboarding`, for 30 days. Each operation states the kind of caller and the scope that it requires.",
} as const;

function paths() {
  const routes = operationRegistry.flatMap((operation) => operation.routes.map((route) => ({ operation, route })));
  const byPath = Map.groupBy(routes, ({ route }) => route.path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(
        group.map(({ operation, route }) => [route.method.toLowerCase(), operationObject(operation, route)]),
      ),
    ]),
  );
}

/** Formats of strings. A schema with one of these formats needs no pattern, which would be long. */
const formats = new Set(["date", "date-time", "email", "uuid"]);

function simplify({ jsonSchema }: ZodOpenApiOverrideContext): void {
  if (formats.has(jsonSchema.format ?? "")) delete jsonSchema.pattern;
}

/** Request bodies stay closed: an unlisted field is rejected. */
function withOpenAnswers(document: Description): Description {
  const sent = new Set(
    operationRegistry.flatMap(({ body, form }) => [body && requiredBody(body).meta()?.id, form?.schema.meta()?.id]),
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    const open = (key: string, value: unknown) => (key === "additionalProperties" && !value ? undefined : value);
    return [name, sent.has(name) ? schema : JSON.parse(JSON.stringify(schema, open))];
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}
