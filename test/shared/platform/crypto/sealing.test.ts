import { randomUUID } from "node:crypto";
import { InvalidCiphertextException } from "@aws-sdk/client-kms";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectablePosTypes } from "../../../../shared/api/enumerations.ts";
import { credentialSets } from "../../../../shared/api/pos/credentialSets.ts";
import { posTypes } from "../../../../shared/api/pos/posTypes.ts";
import { credentialIssues } from "../../../../shared/api/schemas/credentialIssues.ts";
import { seal, sealSecret, unseal, unsealSecret } from "../../../../shared/platform/crypto/sealing.ts";
import { useTestSealingKey } from "../../../testServiceKey.ts";
import { useTestKms } from "../../../useTestKms.ts";
import { impatientRequests } from "../aws/impatientRequests.ts";

useTestSealingKey();
const kms = useTestKms();
// The pauses between attempts take seconds.
process.env.AWS_MAX_ATTEMPTS = "1";

const credentials = { username: "testing", password: "pässword ☃", port: 5432 };

describe.each([
  ["a key file", undefined],
  ["KMS", kms.keyId],
])("with %s", (_, keyId) => {
  beforeAll(() => void vi.stubEnv("KMS_KEY_ID", keyId));
  afterAll(() => void vi.unstubAllEnvs());

  test("credentials sealed for a CRB can be opened for it", async () => {
    const crbId = randomUUID();
    expect(await unseal(crbId, await seal(crbId, credentials))).toEqual(credentials);
  });

  test("the same credentials are sealed differently each time, and the result does not show them", async () => {
    const crbId = randomUUID();
    const sealed = await Promise.all([seal(crbId, credentials), seal(crbId, credentials)]);
    expect(Buffer.from(sealed[0]).equals(Buffer.from(sealed[1]))).toBe(false);
    for (const each of sealed) expect(Buffer.from(each).toString("latin1")).not.toContain("testing");
  });

  test("sealed credentials cannot be opened for another CRB, nor after a change or truncation", async () => {
    const crbId = randomUUID();
    const sealed = await seal(crbId, credentials);
    await expect(unseal(randomUUID(), sealed)).rejects.toThrow();
    for (let at = 0; at < sealed.length; at += 7) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(unseal(crbId, changed)).rejects.toThrow();
      await expect(unseal(crbId, sealed.slice(0, at))).rejects.toThrow();
    }
  });

  test("the secret of a webhook endpoint can be opened only as that endpoint's secret", async () => {
    const id = randomUUID();
    const sealed = await sealSecret(id, "whsec_secret");
    expect(await unsealSecret(id, sealed)).toBe("whsec_secret");
    await expect(unsealSecret(randomUUID(), sealed)).rejects.toThrow();
    await expect(unseal(id, await sealSecret(id, "{}"))).rejects.toThrow();
    await expect(unsealSecret(id, await seal(id, credentials))).rejects.toThrow();
  });

  test.each(connectablePosTypes)("the longest credentials of %s are not too long to seal", async (posType) => {
    const { properties } = credentialSets[posTypes[posType].credentialSet];
    const longest = Object.fromEntries(
      Object.entries(properties).map(([name, { type }]) => [
        name,
        type === "number" ? -Number.MAX_VALUE : "☃".repeat(255),
      ]),
    );
    expect(credentialIssues(posType, longest)).toEqual([]);
    expect(await unseal("a", await seal("a", longest))).toEqual(longest);
  });
});

describe("KMS", () => {
  beforeAll(() => void vi.stubEnv("KMS_KEY_ID", kms.keyId));
  afterAll(() => void vi.unstubAllEnvs());

  test("gets the CRB's id as the encryption context, and nothing else", async () => {
    const crbId = randomUUID();
    await unseal(crbId, await seal(crbId, credentials));
    expect(kms.contexts).toEqual({ Encrypt: [{ crb_id: crbId }], Decrypt: [{ crb_id: crbId }] });
  });

  test.each([
    [["ThrottlingException", 400]],
    [["KMSInternalException", 500]],
    [["DependencyTimeoutException", 503]],
    [["KeyUnavailableException", 500]],
    [["DisabledException", 400]],
    [["AccessDeniedException", 400]],
    ["hangs up"],
  ] as const)("failing with %j is a 503", async (failure) => {
    const sealed = await seal("a", credentials);
    kms.failure = failure;
    // An outage without its cause would not be logged.
    const outage = { name: "ServiceError", kind: "unavailable", cause: expect.any(Error) };
    await expect(seal("a", credentials)).rejects.toMatchObject(outage);
    await expect(unseal("a", sealed)).rejects.toMatchObject(outage);
  });

  test("that does not respond causes a timeout", async () => {
    impatientRequests();
    const { seal } = await import("../../../../shared/platform/crypto/sealing.ts");
    kms.failure = "never answers";
    await expect(seal("a", credentials)).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("that returns no text causes an error", async () => {
    const sealed = await seal("a", credentials);
    kms.failure = "says nothing";
    await expect(seal("a", credentials)).rejects.toThrow("KMS returned no ciphertext");
    await expect(unseal("a", sealed)).rejects.toThrow("KMS returned no plaintext");
  });

  test("rejecting another CRB's ciphertext is not an outage", async () => {
    const sealed = await seal("a", credentials);
    await expect(unseal("b", sealed)).rejects.toThrow(InvalidCiphertextException);
  });
});

test("without a key file, the error says which variable must name it", async () => {
  vi.resetModules();
  const { seal } = await import("../../../../shared/platform/crypto/sealing.ts");
  vi.stubEnv("SEALING_KEY_FILE", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(seal("a", credentials)).rejects.toThrow(
    "SEALING_KEY_FILE is not set: it must name the file that holds the sealing key",
  );
});
