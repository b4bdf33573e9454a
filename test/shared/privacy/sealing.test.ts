import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { seal, unseal } from "../../../shared/privacy/sealing.ts";
import { useTestSealingKey } from "../../testServiceKey.ts";

useTestSealingKey();

const credentials = { username: "testing", password: "pässword ☃", port: 5432 };

test("what was sealed for a CRB is opened for it", async () => {
  const crbId = randomUUID();
  expect(await unseal(crbId, await seal(crbId, credentials))).toEqual(credentials);
});

test("the same is sealed differently every time, and shows nothing", async () => {
  const crbId = randomUUID();
  const sealed = await Promise.all([seal(crbId, credentials), seal(crbId, credentials)]);
  expect(Buffer.from(sealed[0]).equals(Buffer.from(sealed[1]))).toBe(false);
  for (const each of sealed) expect(Buffer.from(each).toString("latin1")).not.toContain("testing");
});

test("it cannot be opened as another CRB's, nor changed, nor cut", async () => {
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
