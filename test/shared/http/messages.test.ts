import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type * as z from "zod";
import { fieldPaths } from "../../../shared/pos/upload/columns.ts";
import { routes } from "../../api/useStage.ts";
import { validateEvent } from "../../validateEvent.ts";

/** Values that are invalid for most fields. */
const invalidValues = [
  null,
  true,
  -1,
  1.5,
  1e12,
  "",
  " ",
  "x",
  "x".repeat(5_000),
  "2026-02-30",
  [],
  ["x"],
  [null],
  {},
  { x: 1 },
];

/** The paths of all fields of a schema, and of the objects and lists that contain them. */
function placesIn(schema: z.ZodType): string[][] {
  const paths = fieldPaths(schema).map((path) => path.replaceAll("*", "0").split("."));
  const all = paths.flatMap((path) => path.map((_, i) => path.slice(0, i + 1)));
  return [...new Map(all.map((path) => [path.join("."), path])).values()];
}

/** A copy with another value at a path. Missing objects above it are created. */
function withValue(value: unknown, [name, ...rest]: readonly string[], put: unknown): unknown {
  if (name === undefined) return put;
  const whole = typeof value === "object" && value !== null ? structuredClone(value) : name === "0" ? [] : {};
  const above = whole as Record<string, unknown>;
  above[name] = withValue(above[name], rest, put);
  return above;
}

test.each(routes)(
  "every validation message of $operationId has the service's own wording",
  ({ operation, ...route }) => {
    const event = JSON.parse(readFileSync(`events/${route.operationId}.json`, "utf8"));
    const bodies = operation.body
      ? placesIn(operation.body).flatMap((place) =>
          [undefined, ...invalidValues].map((value) => withValue(JSON.parse(event.body), place, value)),
        )
      : [];
    const schema = route.query ?? operation.query;
    const queries = Object.keys(schema.shape).flatMap((name) => [
      ...invalidValues.filter((value) => typeof value === "string").map((value) => ({ [name]: [value] })),
      { [name]: ["x", "y"] },
    ]);
    const headers = Object.keys(operation.headers?.shape ?? {}).flatMap((name) =>
      ["", "x", "x".repeat(5_000)].map((value) => ({ [name]: [value] })),
    );
    const events = [
      ...bodies.map((body) => ({ ...event, body: JSON.stringify(body) })),
      ...queries.map((multiValueQueryStringParameters) => ({ ...event, multiValueQueryStringParameters })),
      ...headers.map((multiValueHeaders) => ({
        ...event,
        multiValueHeaders: { ...event.multiValueHeaders, ...multiValueHeaders },
      })),
    ];
    const fields = events.flatMap((each) => Object.values(validateEvent(operation, { ...each, route }).fields ?? {}));
    if (bodies.length + queries.length > 0) expect(fields).not.toEqual([]);
    const messages = [...new Set(fields.map(({ message }) => message))];
    expect(messages.filter((message) => !/^(must|is|are|has|names?) [^A-Z]/.test(message))).toEqual([]);
  },
);
