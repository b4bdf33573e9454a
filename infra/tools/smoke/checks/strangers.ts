import { randomUUID } from "node:crypto";
import { shortly } from "../caller.ts";
import type { Check } from "../trial.ts";

/** Answers of pages, functions and gateway to calls without a valid credential. */
export const strangers: Check = {
  name: "calls without a credential",
  page: "docs/guide/errors.md",
  canRunWithoutData: true,
  async run(trial) {
    const { api } = trial.tried;
    const provider = `/service-providers/${randomUUID()}`;
    const cases: [what: string, status: number, path: string, authorization: string | null][] = [
      ["the API's description", 200, "/openapi.json", null],
      ["the page of the API", 200, "/docs", null],
      ["no credential", 401, provider, null],
      // The credential has a valid form, so the function looks it up in the table.
      ["a made-up credential", 401, provider, `sk_${"A".repeat(65)}`],
      ["an unknown route", 404, "/nothing/here", null],
    ];
    for (const [what, status, path, authorization] of cases) {
      const answer = await api.call("GET", path, { authorization });
      trial.holds(what, String(status), answer.status === status, shortly(answer));
    }
  },
};
