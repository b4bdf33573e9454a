import { createDocument, type ZodOpenApiOverrideContext } from "zod-openapi";
import { eventTypes } from "../enumerations.ts";
import { eventExamples } from "../eventExamples.ts";
import { contentTypes } from "../operation.ts";
import { operationRegistry } from "../operationRegistry.ts";
import { exampleIds } from "../operations/examples.ts";
import { typedEvent } from "../schemas/typedEvent.ts";
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
      components: { securitySchemes: { access_auth, oauth2 } },
      paths: paths(),
      webhooks: { event: { post: receivedEvent } },
    },
    { override: closed ? simplify : openAndSimplify },
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

/** The same credentials by OAuth 2.0, for programs that obtain access tokens automatically. */
const oauth2 = {
  type: "oauth2",
  description:
    "The client credentials grant (RFC 6749, 4.4). The access token is sent as `Authorization: Bearer at_…`.",
  flows: {
    clientCredentials: {
      tokenUrl: "/auth/token",
      scopes: {
        "service-provider:read": "Read the service provider, its CRBs, documents, events and webhook endpoints",
        "service-provider:write": "Create and onboard CRBs, review documents, manage exports and webhook endpoints",
        "create-crb-api-key:write": "Issue and revoke credentials",
        "crb:read": "Read the CRB and its documents",
        "point-of-sale:read": "Read customers, products, inventory, sales and sales days",
      },
    },
  },
} as const;

const exampleEvent = {
  id: exampleIds.event,
  date: "2026-03-14T16:20:00.000Z",
  sp_id: exampleIds.serviceProvider,
  crb_id: exampleIds.crb,
};

/** The delivery of an event to a webhook endpoint (docs/spec.md#webhook-delivery). */
const receivedEvent = {
  operationId: "receiveEvent",
  tags: ["Webhooks"],
  summary: "Receive an event",
  description:
    "The service sends this request to the `url` of a webhook endpoint. Verify its signature (Standard Webhooks) before you use it. Types that are not listed here may come at any time: respond with 2xx and ignore them.",
  security: [],
  requestBody: {
    required: true,
    content: {
      [contentTypes.json]: {
        schema: typedEvent,
        examples: Object.fromEntries(
          eventTypes.map((type) => [
            type,
            { summary: type, value: { ...exampleEvent, type, data: eventExamples[type] } },
          ]),
        ),
      },
    },
  },
  responses: {
    "2XX": {
      description: "The event is accepted. Any other status, or none within ten seconds, makes the service try again.",
    },
  },
};

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

/** Lets clients accept values of open enumerations that they do not know. */
function openAndSimplify(context: ZodOpenApiOverrideContext): void {
  simplify(context);
  if ("x-extensible-enum" in context.jsonSchema) delete context.jsonSchema.enum;
}

/** Request bodies stay closed: an unlisted field is rejected. */
function withOpenAnswers(document: Description): Description {
  const sent = new Set(
    operationRegistry.flatMap(({ body, form }) => [body && requiredBody(body).meta()?.id, form?.schema.meta()?.id]),
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    const open = (key: string, value: unknown) =>
      key === "additionalProperties" && !value ? undefined : withoutRepeatedValues(value);
    return [name, sent.has(name) ? schema : JSON.parse(JSON.stringify(schema, open))];
  });
  const paths = JSON.parse(JSON.stringify(document.paths, (_, value) => withoutRepeatedValues(value)));
  return { ...document, paths, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** Next to a reference, Zod repeats the type and the values of the schema, and zod-openapi its own metadata. */
const repeated = new Set(["type", "enum", "param"]);

function withoutRepeatedValues(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !repeated.has(key)));
}
