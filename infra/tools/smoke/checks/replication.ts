import { createCrb, hasSandbox, until } from "../business.ts";
import type { Check } from "../trial.ts";

/** Connects a business to a simulated POS and waits until all its records are stored. */
export const replication: Check = {
  name: "replication until current",
  page: "docs/guide/fresh-data.md",
  skipReason: (tried) => (hasSandbox(tried) ? undefined : "it needs a simulated POS, and this stage has real ones"),
  async run(trial) {
    const { api } = trial.tried;
    const crb = await createCrb(trial.tried, { connected: true });
    const began = Date.now();
    const states = async () => {
      const { data } = await api.answer("GET", `${crb}/replications`);
      return Object.fromEntries((data as { kind: string; state: string }[]).map(({ kind, state }) => [kind, state]));
    };
    const current = (seen: Record<string, string>) => Object.values(seen).every((state) => state === "current");
    const seen = await until(trial.tried, 600, states, current);
    const kinds = ["customers", "inventory", "inventory-locations", "products", "sales"];
    trial.equal("kinds", kinds, Object.keys(seen).sort());
    trial.holds("states after ten minutes", "current", current(seen), JSON.stringify(seen));
    trial.note(`current after ${Math.round((Date.now() - began) / 1_000)} s`);
    const page = await api.answer("GET", `${crb}/customers?limit=1000`);
    trial.equal("a page of 1000 customers", "1 - 1000", page.metadata.count);
    const { last_succeeded_date: succeeded } = (await api.answer("GET", `${crb}/replications`)).data[0];
    trial.holds("last_succeeded_date", "a date", !Number.isNaN(Date.parse(succeeded)), succeeded);
  },
};
