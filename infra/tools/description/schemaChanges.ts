import { isDeepStrictEqual } from "node:util";

/** The writer of a schema's values: callers in requests, the service in answers. */
export type Side = "request" | "answer";

const lowerBounds = ["minimum", "minLength", "minItems"];
const upperBounds = ["maximum", "maxLength", "maxItems"];

/** Keywords that restrict no value, and keywords that `changesOf` compares separately. */
const comparedElsewhere = new Set([
  ...["description", "title", "example", "examples", "deprecated", "discriminator", "name", "x-extensible-enum"],
  ...["type", "enum", "const", "properties", "required", "items", "additionalProperties", "propertyNames"],
  ...[...lowerBounds, ...upperBounds],
]);

/**
 * Returns the changes of a schema that break callers of the old one. A valid request must stay valid. An answer must keep
 * each field and guarantee. New fields in answers and new optional fields in requests break no caller.
 *
 * @param before the named schemas of the old schema, `after` those of the new one
 * @param path location of the schema, such as `body.org`
 * @returns a line for each change, starting with the path; none if no caller breaks
 */
export function schemaChanges(
  side: Side,
  path: string,
  [before, oldSchemas]: readonly [Schema, Schemas],
  [after, newSchemas]: readonly [Schema, Schemas],
): string[] {
  const underWay = new Set<unknown>();

  function compare(where: string, older: Schema, newer: Schema): string[] {
    const [olds, news] = [alternatives(older, oldSchemas), alternatives(newer, newSchemas)];
    // For each alternative of the writer's schema, the reader's schema must have an alternative that accepts it.
    const [written, read] = side === "request" ? [olds, news] : [news, olds];
    return written.flatMap((one) => {
      const ofType = read.filter((other) => isOfType(one, other));
      const ways = (ofType.length > 0 ? ofType : read.slice(0, 1)).map((other) =>
        side === "request" ? compareOne(where, one, other) : compareOne(where, other, one),
      );
      return ways.sort((a, b) => a.length - b.length)[0] ?? [];
    });
  }

  function compareOne(where: string, older: Schema, newer: Schema): string[] {
    const pair = older.name && `${older.name} ${newer.name}`;
    // The recursion ends at a schema that refers to itself.
    if (pair && underWay.has(pair)) return [];
    if (pair) underWay.add(pair);
    const changes = changesOf(where, older, newer);
    if (pair) underWay.delete(pair);
    return changes;
  }

  function changesOf(where: string, older: Schema, newer: Schema): string[] {
    const [written, read] = side === "request" ? [older, newer] : [newer, older];
    if (!isOfType(written, read)) return [`${where}: type ${older.type ?? "any"} became ${newer.type ?? "any"}`];
    return [
      ...values(where, older, newer),
      ...bounds(where, written, read),
      ...properties(where, older, newer),
      ...(older.items || newer.items ? compare(`${where}.0`, older.items ?? {}, newer.items ?? {}) : []),
      ...furtherProperties(where, older, newer),
    ];
  }

  function values(where: string, older: Schema, newer: Schema): string[] {
    const [olds, news] = [valuesOf(older), valuesOf(newer)];
    const gone = news && olds?.filter((value) => !news.includes(value));
    const added = olds && news?.filter((value) => !olds.includes(value));
    const isNarrowed = side === "request" ? !olds && news : olds && !news;
    return [
      ...(isNarrowed ? [`${where}: is ${news ? "now" : "no longer"} limited to a list of values`] : []),
      ...(gone ?? []).map((value) => `${where}: the value ${value} was removed`),
      ...(side === "answer" ? (added ?? []) : []).map((value) => `${where}: the value ${value} is new`),
    ];
  }

  function properties(where: string, older: Schema, newer: Schema): string[] {
    const [olds, news] = [older.properties ?? {}, newer.properties ?? {}];
    const [needed, had] = side === "request" ? [newer, older] : [older, newer];
    return [
      ...Object.entries(olds).flatMap(([name, schema]) =>
        news[name] ? compare(`${where}.${name}`, schema, news[name]) : [`${where}.${name}: was removed`],
      ),
      ...(needed.required ?? [])
        .filter((name) => !had.required?.includes(name) && (side === "request" || news[name]))
        .map((name) => `${where}.${name}: ${side === "request" ? "is now required" : "may now be missing"}`),
    ];
  }

  function furtherProperties(where: string, older: Schema, newer: Schema): string[] {
    const [olds, news] = [older.additionalProperties ?? true, newer.additionalProperties ?? true];
    const closed = side === "request" && olds !== false && news === false;
    const described = typeof olds === "object" || typeof news === "object";
    const schemas = [olds, news].map((given) => (typeof given === "object" ? given : {})) as [Schema, Schema];
    return [
      ...(closed ? [`${where}: no longer accepts further fields`] : []),
      ...(described && olds !== false && news !== false ? compare(`${where}.*`, ...schemas) : []),
      ...(older.propertyNames || newer.propertyNames
        ? compare(`${where}, names`, older.propertyNames ?? {}, newer.propertyNames ?? {})
        : []),
    ];
  }

  return compare(path, before, after);
}

/**
 * The alternatives of a schema: a value must match one. Each alternative has at most one type, and the name of its
 * schema if that schema is named.
 */
function alternatives(given: Schema, schemas: Schemas): Schema[] {
  const { $ref, ...own } = given;
  if ($ref) {
    const name = $ref.replace("#/components/schemas/", "");
    const named = schemas[name];
    if (!named) throw new Error(`${$ref} is not in the description`);
    return alternatives({ ...named, ...own, name }, schemas);
  }
  const { anyOf, oneOf, ...rest } = given;
  const choice = anyOf ?? oneOf;
  if (choice) return choice.flatMap((one) => alternatives({ ...rest, ...one }, schemas));
  return Array.isArray(given.type) ? given.type.map((type) => ({ ...given, type })) : [given];
}

function isOfType(written: Schema, read: Schema): boolean {
  return (
    read.type === undefined || read.type === written.type || (written.type === "integer" && read.type === "number")
  );
}

const valuesOf = (schema: Schema) => schema.enum ?? ("const" in schema ? [schema.const] : undefined);

/** The reader's constraints that the writer does not meet. An unknown keyword must not change. */
function bounds(where: string, written: Schema, read: Schema): string[] {
  const beyond = (keyword: string, isBeyond: (value: number, bound: number) => boolean) => {
    const [value, bound] = [written[keyword], read[keyword]] as (number | undefined)[];
    return bound !== undefined && (value === undefined || isBeyond(value, bound));
  };
  const isOther = (keyword: string) =>
    !comparedElsewhere.has(keyword) && !isDeepStrictEqual(written[keyword], read[keyword]);
  return [
    ...lowerBounds.filter((keyword) => beyond(keyword, (value, bound) => value < bound)),
    ...upperBounds.filter((keyword) => beyond(keyword, (value, bound) => value > bound)),
    ...Object.keys(read).filter(isOther),
  ].map((keyword) => `${where}: ${keyword} has changed`);
}

/** A schema of OpenAPI 3.1, with the keywords that are compared one by one. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  [keyword: string]: unknown;
}

/** The named schemas of a description, `components.schemas`. */
export type Schemas = Record<string, Schema>;
