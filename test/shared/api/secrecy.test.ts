import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { credentialSets } from "../../../shared/api/pos/credentialSets.ts";
import { isMisplacedSecretName } from "../../../shared/api/secrecy.ts";
import { requestEvent } from "../../requestEvent.ts";
import { validateEvent } from "../../validateEvent.ts";

const marker = "hunter2-0123456789";
const credentialNames = [
  ...new Set(Object.values(credentialSets).flatMap(({ properties }) => Object.keys(properties))),
];
const otherNames = ["client_secret", "accessToken", "X-Api-Key", "private key", "passphrase", "base64", "PASSWD"];
otherNames.push("pwd", "pass", "user_pin");
const names = fc.constantFrom(
  ...[...credentialNames, ...otherNames].flatMap((name) => [name, name.toUpperCase(), `x-${name}`.slice(2)]),
);

/** The service does not issue tokens of invitations yet. */
const ownSecrets = [
  ...["sk", "at", "iv"].map((kind) => `${kind}_6Ff1T8xMSYGeeHGjfN1gfQk3Vb8Rz5Lw2Tn7Ys4Hd0Gp6Jc1Xm9Qe3Ua5Io8Bf`),
  "whsec_6Ff1T8xMSYGee+GjfN1gfQk/Vb8Rz5Lw2Tn7Ys4Hd0G=",
];

/** Every route with a body, and the body of its sample event. */
const samples = operationRegistry.flatMap((operation) =>
  operation.routes.flatMap((route) => {
    if (!operation.body) return [];
    const file = new URL(`../../../events/${route.operationId}.json`, import.meta.url);
    return [{ operation, route, sample: JSON.parse(JSON.parse(readFileSync(file, "utf8")).body) as unknown }];
  }),
);

type Path = readonly (string | number)[];

/** The paths of a body: the empty path, and the path of everything in it. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, each]) =>
    placesOf(each, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return [path, ...inner];
}

/** A copy of a value, changed at one path. */
function replacedAt(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[name] = replacedAt(copy[name], rest, change);
  return copy;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Ways to insert a field at a path of a body. */
const ways: Readonly<Record<string, (field: object) => (value: unknown) => unknown>> = {
  added: (field) => (value) => (isObject(value) ? { ...value, ...field } : field),
  instead: (field) => () => field,
  inAList: (field) => () => [[field]],
  asJsonText: (field) => () => JSON.stringify(field),
  asJsonTextInText: (field) => () => JSON.stringify(JSON.stringify(field)),
};

const bodies = fc
  .constantFrom(...samples.keys())
  .chain((index) =>
    fc.record({
      index: fc.constant(index),
      place: fc.constantFrom(...placesOf(samples[index]?.sample)),
      way: fc.constantFrom(...Object.keys(ways)),
    }),
  );

/** The failing fields of a route's sample body that is changed at one path, as JSON. */
function failingFieldsJson(index: number, place: Path, change: (value: unknown) => unknown): string {
  const { operation, route, sample } = samples[index] ?? expect.fail("no such sample");
  const body = JSON.stringify(replacedAt(sample, place, change));
  const validated = validateEvent(operation, { ...requestEvent({ resource: route.path, body }), route });
  return JSON.stringify(validated.fields ?? {});
}

/** The field `org.state` has the name of a credential, but is reported when it fails. */
const isReportedField = (place: Path, name: string, way: string) =>
  name === "state" && place.join() === "org" && ["added", "instead"].includes(way);

test("a secret under the name of any credential is never returned, wherever in the body it is", () => {
  const values = fc.constantFrom<unknown>(marker, [marker], { x: marker }, { x: [{ y: marker }] });
  let rejectedCount = 0;
  fc.assert(
    fc.property(bodies, names, values, ({ index, place, way }, name, value) => {
      fc.pre(!isReportedField(place, name, way));
      const fieldsJson = failingFieldsJson(index, place, ways[way]?.({ [name]: value }) ?? expect.fail());
      if (fieldsJson !== "{}") rejectedCount++;
      expect(fieldsJson).not.toContain(marker);
    }),
    { numRuns: 5_000 },
  );
  expect(rejectedCount).toBeGreaterThan(3_000);
});

test("a secret of this service is never returned, as a value or as a name, however often it is percent-encoded", () => {
  const encoded = [(text: string) => text, encodeURIComponent, (text: string) => text.replaceAll(/./g, hex)];
  const texts = fc
    .tuple(
      fc.constantFrom(...ownSecrets),
      fc.constantFrom("", "Bearer ", "x=", "Bearer\t"),
      fc.array(fc.constantFrom(...encoded), { maxLength: 2 }),
    )
    .map(([secret, before, encodings]) => encodings.reduce((text, encode) => encode(text), before + secret));
  fc.assert(
    fc.property(bodies, texts, fc.boolean(), ({ index, place }, text, asName) => {
      const fieldsJson = failingFieldsJson(index, place, (value) =>
        asName ? { ...(isObject(value) ? value : {}), [text]: 1 } : [text, value],
      );
      for (let plain = fieldsJson, times = 0; times < 3; times++, plain = unhex(plain)) {
        for (const secret of ownSecrets) expect(plain).not.toContain(secret.slice(3, 30));
      }
    }),
    { numRuns: 5_000 },
  );
});

const hex = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
const unhex = (text: string) =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));

describe("every property of every credential set is recognized as a secret", () => {
  test.each(credentialNames)("%s", (name) => {
    expect(isMisplacedSecretName(name)).toBe(true);
  });
});
