import { Argument, Option } from "@commander-js/extra-typings";
import * as z from "zod";
import { kindsByName, type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { UUID } from "../../../shared/api/patterns.ts";
import { StageError } from "../../cli/stageError.ts";

/**
 * Parses a parameter that is an id, in lower case. The error does not repeat invalid text, which may be a secret.
 *
 * @param dash allowed instead of an id
 */
export const uuid =
  (name: string, dash?: string) =>
  (text: string): string => {
    if (text === dash) return text;
    if (!UUID.test(text)) throw new StageError(`${name} must be a uuid${dash ? `, or ${dash}` : ""}.`);
    return text.toLowerCase();
  };

/**
 * Parses an instant or a UTC day.
 *
 * @param edge the instant that a day stands for: its start or its end
 */
export const instant =
  (option: string, edge: "start" | "end") =>
  (text: string): Date => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
    const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(text);
    const time = isDay || isInstant ? Date.parse(text) : Number.NaN;
    // JavaScript accepts 2026-02-30 as a day in March, and a time on it.
    if (Number.isNaN(time) || !z.iso.date().safeParse(text.slice(0, 10)).success)
      throw new StageError(`${option} must be a day such as 2026-11-20 or a time such as 2026-11-20T08:00:00Z.`);
    return new Date(isDay && edge === "end" ? time + 86_400_000 : time);
  };

/** For each kind of record: its name in help, the words for it, and the command that lists it. */
export const recordWords = {
  crb: ["CRB_ID", "CRB", "crb list"],
  serviceProvider: ["SP_ID", "service provider", "service-provider list"],
} as const;

/** An argument for a stored record. The program replaces the beginning of its id, or its name, by the whole id. */
export class RecordArgument<Usage extends string = string> extends Argument<Usage> {
  readonly kind: keyof typeof recordWords;

  private constructor(usage: Usage, kind: keyof typeof recordWords, description: string) {
    super(usage, description);
    this.kind = kind;
  }

  static required(kind: keyof typeof recordWords) {
    const [name, words, list] = recordWords[kind];
    const description = `id of a ${words}, the beginning of its id, or its name; ${list} shows all`;
    return new RecordArgument(`<${name}>`, kind, description);
  }

  /** An argument that is `all` if it is absent. */
  static orAll(kind: keyof typeof recordWords) {
    const [name, words] = recordWords[kind];
    const description = `id of a ${words}, the beginning of its id, its name, or \`all\``;
    return new RecordArgument(`[${name}]`, kind, description).default("all");
  }
}

/** An option for a CRB, which the program treats like an argument for one. */
export class CrbOption<Usage extends string = "--crb <CRB>"> extends Option<Usage> {
  readonly kind = "crb";

  constructor(usage: Usage, description: string) {
    super(usage, `${description}: its id, the beginning of its id, or its name`);
  }
}

export const crbArgument = () => RecordArgument.required("crb");

export const serviceProviderArgument = () => RecordArgument.required("serviceProvider");

export const kindArgument = () =>
  new Argument("<KIND>", `kind of records: ${recordKinds.join(", ")}, or the name of its list in the API`).argParser(
    kindOf,
  );

/** Finds a kind of records by its internal or API name. @throws StageError if there is no such kind */
export const kindOf = (text: string): RecordKind => kindAmong(text, recordKinds);

/** Finds one of these kinds by its internal or API name. @throws StageError if none of them has the name */
export function kindAmong<Kind extends string>(text: string, kinds: readonly Kind[]): Kind {
  const name = text.toLowerCase();
  const named = new Map<string, string>(Object.entries(kindsByName)).get(name);
  const kind = kinds.find((one) => one === name || one === named);
  if (!kind) throw new StageError(`KIND must be one of ${kinds.join(", ")}.`);
  return kind;
}
