import * as z from "zod";

/** The maximum number of keys of a credential (docs/spec.md#keys-of-programs). */
export const maxCredentialKeys = 5;

/** The algorithms of assertions by type of key. HMAC is not among them, because its key is a shared secret. */
export const keyAlgorithms = { RSA: ["RS256", "PS256"], EC: ["ES256"] } as const;

/** The members of a JWK that hold a private or symmetric key (RFC 7518, section 6). */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

const shared = {
  kid: z
    .string()
    .regex(/^[!-~]{1,64}$/, { error: "must be 1 to 64 visible ASCII characters" })
    .describe("The id of the key, unique in the set; assertions name it in their header"),
  use: z.literal("sig").optional().describe("Purpose of the key"),
};

const coordinate = z.string().regex(/^[\w-]{43}$/, { error: "must be 32 bytes in base64url" });

/** Private members are rejected, other unknown ones ignored (RFC 7517, section 4). */
const refusePrivate = z.check<Record<string, unknown>>(({ value, issues }) => {
  for (const name of privateMembers.filter((each) => Object.hasOwn(value, each))) {
    const message = "is private: send only public keys. Replace this key, because it has left your system";
    issues.push({ code: "custom", message, path: [name], input: undefined });
  }
});

const rsaKey = z
  .looseObject({
    kty: z.literal("RSA").describe("Type of key"),
    ...shared,
    alg: z.enum(keyAlgorithms.RSA).optional().describe("The only algorithm to accept; all of its type if absent"),
    n: z
      .string()
      .regex(/^[\w-]{342,683}$/, { error: "must be a modulus of 2048 to 4096 bits, in base64url" })
      .describe("Modulus of 2048 to 4096 bits, in base64url"),
    e: z.literal("AQAB", { error: "must be AQAB, which is 65537" }).describe("Exponent 65537"),
  })
  .check(refusePrivate)
  .meta({ id: "RsaPublicKey", description: "A public RSA key as a JWK (RFC 7517)" });

const ecKey = z
  .looseObject({
    kty: z.literal("EC").describe("Type of key"),
    ...shared,
    alg: z.enum(keyAlgorithms.EC).optional().describe("The only algorithm to accept"),
    crv: z.literal("P-256").describe("Curve"),
    x: coordinate.describe("X coordinate, 32 bytes in base64url"),
    y: coordinate.describe("Y coordinate, 32 bytes in base64url"),
  })
  .check(refusePrivate)
  .meta({ id: "EcPublicKey", description: "A public key of the curve P-256 as a JWK (RFC 7517)" });

export const sentKey = z.discriminatedUnion("kty", [rsaKey, ecKey], { error: "must be one of RSA, EC" });
export type SentKey = z.output<typeof sentKey>;

export const credentialKeySet = z
  .strictObject({
    keys: z
      .array(sentKey)
      .max(maxCredentialKeys)
      .describe("All keys of the credential; keys that are not in the list end"),
  })
  .meta({ id: "CredentialKeySet", description: "The public keys of a credential as a JWK set (RFC 7517)" });
