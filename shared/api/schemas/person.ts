import * as z from "zod";
import { personRoles } from "../enumerations.ts";

/** The person who did something, next to the client id (docs/spec.md#persons). */
export const person = z
  .strictObject({
    sub: z.string().describe("The person's id at the identity provider"),
    name: z.string().nullable().describe("The person's name at that time; null if the identity provider states none"),
  })
  .meta({ id: "Person", description: "A person who signed in with the identity provider of a service provider" });

export type PersonName = z.output<typeof person>;

/** A person as records have it, with its fields in one order; null for programs. */
export const toPerson = (known: PersonName | null | undefined): PersonName | null =>
  known ? { sub: known.sub, name: known.name } : null;

/** The role of a person. */
export const personRole = z.enum(personRoles).meta({ id: "PersonRole", description: "The role of a person" });

export const signedInPerson = z
  .strictObject({ ...person.shape, role: personRole })
  .meta({ id: "SignedInPerson", description: "A person with the role that the token has" });
