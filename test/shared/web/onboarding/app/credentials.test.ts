import { expect, test } from "vitest";
import { credentialSets } from "../../../../../shared/api/pos/credentialSets.ts";
import { posTypes } from "../../../../../shared/api/pos/posTypes.ts";
import { credentialIssues } from "../../../../../shared/api/schemas/credentialIssues.ts";
import { Rejection } from "../../../../../shared/web/browser/failures.ts";
import {
  credentialsOf,
  isSecret,
  type PosEntry,
  problemsIn,
  problemsOf,
} from "../../../../../shared/web/onboarding/app/credentials.ts";

/** The response of the schema operation for a POS type. */
function entryOf(posType: keyof typeof posTypes): PosEntry {
  const { businessType, locationRequired, credentialSet } = posTypes[posType];
  const { description, properties, required } = credentialSets[credentialSet];
  return {
    pos_type: posType,
    business_type: businessType,
    location_required: locationRequired,
    pos_credentials_schema: {
      credentials_name: credentialSet,
      credentials_description: description,
      credentials_properties: properties,
      required_properties: [...required],
    },
  };
}

const bioTrack = entryOf("BioTrack");
const typed = { username: " kim ", password: "secret", server_ip: "10.0.0.1", port: " 5432", database_name: "shop" };

test("credentials are sent trimmed, with numbers as numbers and without empty values", () => {
  expect(credentialsOf(bioTrack, typed)).toEqual({ ...typed, username: "kim", port: 5432 });
  expect(credentialsOf(entryOf("Dutchie"), { medApiKey: "", recApiKey: "key" })).toEqual({ recApiKey: "key" });
});

test("missing values and invalid numbers are reported without a request", () => {
  expect(problemsOf(bioTrack, typed)).toEqual({});
  expect(problemsOf(bioTrack, { ...typed, username: " ", port: "five" })).toEqual({
    username: "This is required.",
    port: "This must be a number.",
  });
});

test.each(Object.keys(posTypes) as (keyof typeof posTypes)[])(
  "credentials of %s without a reported problem fit its schema",
  (posType) => {
    const entry = entryOf(posType);
    const properties = Object.entries(entry.pos_credentials_schema.credentials_properties);
    const full = Object.fromEntries(properties.map(([name, { type }]) => [name, type === "number" ? "7" : "some"]));
    expect(problemsOf(entry, full)).toEqual({});
    expect(credentialIssues(posType, credentialsOf(entry, full))).toEqual([]);
  },
);

test("the service's rejections are shown next to their fields, with the labels of the form", () => {
  const rejection = (fields: Record<string, { message: string }>) => new Rejection(422, { fields });
  const dutchie = entryOf("Dutchie");
  const issues = credentialIssues("Dutchie", {});
  const fields = Object.fromEntries(
    issues.map(({ property, message }) => [`body.pos_credentials.${property}`, { message }]),
  );
  expect(problemsIn(rejection(fields), dutchie, false)).toEqual({
    medApiKey: "This is required, unless “API key of the adult-use location” is sent.",
    recApiKey: "This is required, unless “API key of the medical location” is sent.",
  });
  const rejected = problemsIn(
    rejection({ "body.pos_credentials": { message: "are rejected by the POS; check each of them" } }),
    dutchie,
    false,
  );
  expect(rejected).toEqual({
    all: "Dutchie does not accept these credentials. Please check each of them and try again.",
  });
  const location = rejection({ "body.location_id": { message: "is required; choose one of data.locations" } });
  expect(problemsIn(location, bioTrack, false)).toEqual({ location: "" });
  expect(problemsIn(location, bioTrack, true).location).toContain("no longer exists");
});

test("passwords and keys are hidden while they are typed, and names are not", () => {
  expect(["password", "user_password", "apiKey", "Authorization", "apiToken"].every(isSecret)).toBe(true);
  expect(["username", "server_ip", "port", "dispensaryName"].some(isSecret)).toBe(false);
});
