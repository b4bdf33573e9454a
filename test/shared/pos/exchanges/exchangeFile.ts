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

const exchangeFile = z.strictObject({
  pos: z.enum(posNames),
  kind: z.enum(recordKinds),
  /** path in the folder, without its extension: NAME/KIND or NAME/KIND-VARIANT */
  name: z.string(),
  source: z.strictObject({
    /** the weakest evidence for the form of a response */
    proof: z.enum(["captured payloads", "vendor documents", "client code", "assumptions"]),
    /** the origin of the data, or the account and the time of recording */
    from: z.string().min(1),
    /** differences between the file and the original */
    changes: z.string().min(1),
  }),
  /** the time of the pull */
  now: z.iso.datetime(),
  /** the store inside the POS, if the credentials give access to several */
  locationId: z.string().optional(),
  /** number of sales whose amounts do not add up */
  mismatched: z.int().default(0),
  /** the first exchange that matches a request is served; a file may name another file of its folder, for the same ones */
  exchanges: z.array(exchange).min(1),
});

/** Responses of a POS with records of one kind. */
export type ExchangeFile = z.output<typeof exchangeFile>;

/**
 * Reads all files of a folder, each named NAME/KIND.json or NAME/KIND-VARIANT.json.
 *
 * @throws Error for a file with another form or name
 */
export function readExchangeFiles(folder: string): ExchangeFile[] {
  const files = globSync("*/*.json", { cwd: folder }).filter((file) => !file.endsWith(".expected.json"));
  return files.toSorted().map((file) => {
    const name = file.slice(0, -".json".length).replaceAll("\\", "/");
    const [pos, variant = ""] = name.split("/");
    const [kind] = variant.split("-");
    const content = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const { exchanges } =
      typeof content.exchanges === "string"
        ? JSON.parse(readFileSync(join(folder, pos ?? "", content.exchanges), "utf8"))
        : content;
    return exchangeFile.parse({ pos, kind, name, ...content, exchanges });
  });
}
