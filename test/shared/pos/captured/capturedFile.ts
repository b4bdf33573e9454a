import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { recordKinds } from "../../../../shared/api/kinds.ts";
import { posNames } from "../fakes/fakePos.ts";

const exchange = z.strictObject({
  request: z.strictObject({
    path: z.string(),
    /** parameters that the request has, among others; null for one that it lacks */
    query: z.record(z.string(), z.string().nullable()).default({}),
    /** text that the body of the request contains */
    body: z.string().default(""),
  }),
  response: z.strictObject({ status: z.int().default(200), body: z.unknown() }),
});

const capturedFile = z.strictObject({
  pos: z.enum(posNames),
  kind: z.enum(recordKinds),
  source: z.strictObject({
    proof: z.enum(["captured payloads", "vendor documents"]),
    /** where the original is, or from which account and when it was recorded */
    from: z.string().min(1),
    /** in what the file differs from the original */
    changes: z.string().min(1),
  }),
  /** the instant of the pull */
  now: z.iso.datetime(),
  /** the store inside the POS, where the credentials reach several */
  locationId: z.string().optional(),
  /** the first one that fits a request is served */
  exchanges: z.array(exchange).min(1),
});

/** Responses of a POS from which the records of one kind are read. */
export type Captured = z.output<typeof capturedFile>;

/** All captured files, each named NAME/KIND.json. @throws Error for a file of another form or name */
export function readCapturedFiles(): Captured[] {
  const files = globSync("*/*.json", { cwd: import.meta.dirname }).filter((file) => !file.endsWith(".expected.json"));
  return files.toSorted().map((file) => {
    const [pos, kind] = file.slice(0, -".json".length).split(/[\\/]/);
    return capturedFile.parse({ pos, kind, ...JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")) });
  });
}
