import { expect, test } from "vitest";
import { heldByBackups } from "../../../../infra/tools/operator/certificate.ts";
import type { Target } from "../../../../infra/tools/operator/target.ts";

const removedAt = new Date("2026-11-20T23:00:00Z");
const held = (target: Partial<Target>) => heldByBackups(target as Target, removedAt);

test("a certificate of a stage with copies in another region names each kind of backup, and its last day", () => {
  expect(held({ stage: "prod" })).toEqual({
    backups: "the table's contain the data until 2026-12-25",
    "backups of files": "contain its files until 2026-11-28",
    "copies in us-east-2": "of the table until 2026-11-29, of its changes until 2026-12-01, of files until 2026-11-28",
  });
});

test("a certificate of a stage without such copies names only its continuous backups", () => {
  expect(held({ stage: "sandbox" })).toEqual({ backups: "the table's contain the data until 2026-12-25" });
  expect(held({ stage: "local", local: { data: "", endpoints: {} as never } })).toEqual({
    backups: "none on this machine",
  });
});
