import { capitalized } from "../files/capitalized.ts";
import type { About } from "./draft.ts";

/** A verb and an object, such as `getCrbSummary`. */
export const nameForm = /^[a-z]+([A-Z][a-z0-9]*)+$/;

const split = (name: string): [verb: string, ...rest: string[]] => name.split(/(?=[A-Z])/) as [string, ...string[]];

const acronyms = new Set(["crb", "pos", "ein", "api", "url"]);
const prose = (words: readonly string[]): string =>
  words
    .map((word) => word.toLowerCase())
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word))
    .join(" ");

/** `getCrbSummary` as "Get CRB summary". */
export const summaryOf = (name: string): string => capitalized(prose(split(name)));

/**
 * `getSummary` as "Get your own summary": the summary text of a CRB's route, if service providers also have a route.
 */
export function ownSummaryOf(name: string): string {
  const [verb, ...rest] = split(name);
  return capitalized(`${verb} your own ${prose(rest)}`);
}

/** The end of a path: `getCrbSummary` as "/summary", since the path names the CRB; empty for `deleteCrb`. */
export function pathEndOf(name: string): string {
  const [, ...rest] = split(name);
  const words = rest[0] === "Crb" ? rest.slice(1) : rest;
  return words.length > 0 ? `/${words.join("-").toLowerCase()}` : "";
}

/** Whether the name contains `Crb` after the verb. */
export const namesCrb = (name: string): boolean => split(name)[1] === "Crb";

/** `getSummary` as `getCrbSummary`: the name of the service provider's route, if CRBs also have a route. */
export function withCrb(name: string): string {
  const [verb, ...rest] = split(name);
  return [verb, "Crb", ...rest].join("");
}

/** The schema's name of an operation's answer: `crbSummary` for `getSummary` about a CRB. */
export function schemaNameOf(name: string, about: About): string {
  const subject = split(name).slice(1).join("");
  const owner = capitalized(about);
  return about + (subject.startsWith(owner) ? subject.slice(owner.length) : subject);
}
