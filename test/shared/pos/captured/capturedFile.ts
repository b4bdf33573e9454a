import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { recordKinds } from "../../../../shared/api/kinds.ts";
import { posNames } from "../fakes/fakePos.ts";

const exchange = z.strictObject({
  request: z.strictObject({
    path: z.string(),
    /** parameters of the request, which may have others; null for one that it must not have */
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
    /** the origin of the data, or the account and the time of recording */
    from: z.string().min(1),
    /** differences between the file and the original */
    changes: z.string().min(1),
  }),
  /** the time of the pull */
  now: z.iso.datetime(),
  /** the store inside the POS, if the credentials give access to several */
  locationId: z.string().optional(),
  /** the first exchange that matches a request is served */
  exchanges: z.array(exchange).min(1),
});

/** Responses of a POS with records of one kind. */
export type Captured = z.output<typeof capturedFile>;

/** Reads all captured files, each named NAME/KIND.json. @throws Error for a file with another form or name */
export function readCapturedFiles(): Captured[] {
  const files = globSync("*/*.json", { cwd: import.meta.dirname }).filter((file) => !file.endsWith(".expected.json"));
  return files.toSorted().map((file) => {
    const [pos, kind] = file.slice(0, -".json".length).split(/[\\/]/);
    return capturedFile.parse({ pos, kind, ...JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")) });
  });
}
