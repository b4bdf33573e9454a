import * as z from "zod";
import { name } from "./requestFields.ts";
import { dateTime, uuid } from "./scalars.ts";

/** A client id and secret for the token exchange (docs/spec.md#crb-credentials). */
export const accessCredentials = z
  .strictObject({
    client_id: z.string().describe("Client id for the token exchange"),
    secret: z
      .string()
      .describe("The `client_secret` of the token exchange; also an API key without the client id. Shown only once"),
    expires_date: dateTime
      .nullable()
      .describe(
        "The time at which the pair expires: the earliest of the requested time, the end of the issuing credential, and the maximum age of credentials on this stage; null if it does not expire",
      ),
    allowed_cidrs: z
      .array(z.string())
      .nullable()
      .describe("The ranges of addresses from which the pair may be used; null for all addresses"),
    ended_client_ids: z
      .array(uuid)
      .describe(
        "Client ids of the CRB's older pairs that ended when this pair was issued; empty if there were fewer than two",
      ),
  })
  .meta({ id: "AccessCredentials", description: "A client id and secret for the token exchange" });

/** The last instant whose ISO 8601 form has 24 characters, so that dates sort as text. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The expiry of a credential. */
export const futureDate = z.iso
  .datetime({ offset: true })
  .refine((sent) => Date.parse(sent) > Date.now() && Date.parse(sent) <= lastInstant, {
    error: "must be in the future and before the year 10000",
  });

/** IPv4 addresses in the form of IPv6, as URL spells them. No address of a connection has this form, so they grant nothing. */
const mappedIpv4 = /^\[::ffff:[\da-f]+:[\da-f]+\]$/;

// Zod calls it also for text that is no range.
const isMappedIpv4 = (range: string): boolean =>
  mappedIpv4.test(URL.parse(`http://[${range.split("/")[0]}]`)?.hostname ?? "");

/** A range of addresses, as callers send it. */
export const cidr = z
  .union([z.cidrv4(), z.cidrv6().refine((range) => !isMappedIpv4(range))], {
    error: "must be a range such as 203.0.113.0/24 or 2001:db8::/32",
  })
  .meta({ id: "Cidr", description: "A range of IPv4 or IPv6 addresses, in CIDR notation" });

/** The maximum number of ranges of a credential (docs/spec.md#crb-credentials). */
export const maxCidrs = 50;

/** Optional fields of a new credential pair. */
export const crbAccessCreation = z
  .strictObject({
    name: name.exactOptional().describe("A label, shown in the list of credentials"),
    expires_date: futureDate
      .exactOptional()
      .describe(
        "The time at which the pair expires, at most the maximum age of credentials on this stage; by default at that age",
      ),
    allowed_cidrs: z
      .array(cidr)
      .min(1)
      .max(maxCidrs)
      .exactOptional()
      .describe(
        "The ranges of addresses from which the pair may be used; by default those of the credential that issues it",
      ),
  })
  .meta({ id: "CrbAccessCreation", description: "Optional fields of a new pair" });
