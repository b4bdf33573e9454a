import { describe, expect, test } from "vitest";
import { demoBusinesses } from "../../../../infra/local/demoBusinesses.ts";
import type { Connection } from "../../../../shared/pos/connector.ts";
import type { PosRetailSale } from "../../../../shared/pos/posRecords.ts";
import { controlledSale, sales } from "../../../../shared/pos/sandbox/sales.ts";
import { breakableRules } from "../../../../shared/pos/sandbox/violations.ts";
import { instantOf, recordVersionOf, type World, worldOf } from "../../../../shared/pos/sandbox/world.ts";
import { checkSale } from "../../../../shared/saleChecks/checkSale.ts";
import { isCannabis, productKinds } from "../../../../shared/saleChecks/productKinds.ts";
import type { CheckedSale, SaleRule } from "../../../../shared/saleChecks/saleRule.ts";
import { rulesOn, saleRules } from "../../../../shared/saleChecks/saleRules.ts";
import { toLocalTime } from "../../../../shared/time/localTime.ts";
import { testConnection } from "./testConnection.ts";

const number = 10_000;

type TestSale = CheckedSale & { day: string };

/** A sale that the service stored at an instant. */
function stored(world: World, sale: PosRetailSale, at: Date): TestSale {
  const local_date = toLocalTime(sale.date, world.timezone) ?? expect.fail("no local time");
  const svc_created_date = at.toISOString();
  return { ...sale, local_date, svc_created_date, pos_name: world.posType, day: local_date.slice(0, 10) };
}

/** The first sales, each as the service stores it in the tick in which it comes. */
function simulated(world: World): TestSale[] {
  const population = sales.population(world);
  return Array.from({ length: number }, (_, index) => {
    const version = recordVersionOf(population, index, 0);
    const { tick } = version;
    return stored(world, sales.record(world, { index, version: 0, tick }) as PosRetailSale, instantOf(world, tick));
  });
}

const label = / \(demo: breaks (\S+)\)$/;
const brokenRuleOf = ({ transaction_type, line_items: [first] }: CheckedSale) =>
  transaction_type === "sale" ? (label.exec(first?.product_name ?? "")?.[1] ?? null) : null;

const deciding = ["minimum_age", "adult_use_not_permitted", "transaction_limit", "daily_limit"];

/** Whether a rule has a measure for a kind of products. */
function measures({ unit, equivalence, not_limited }: SaleRule, kind: string): boolean {
  if (not_limited?.includes(kind) || unit?.startsWith("mg_thc")) return true;
  if (equivalence === null) return unit === `g_${kind}`;
  if (kind === "flower") return true;
  if (kind === "topical") return false;
  const { g_concentrate, g_thc_concentrate, mg_thc } = equivalence;
  return mg_thc !== undefined || (kind === "concentrate" && (g_concentrate ?? g_thc_concentrate) !== undefined);
}

/** Whether the rules of the state decide about a sale of such products to such a customer. A caregiver may be a minor's. */
function isDecidable(world: World, { customer, line_items, transaction_type, day }: TestSale): boolean {
  const type = { medical: "medical", rec: "adult", none: null }[customer.type ?? "none"];
  const rules = rulesOn(saleRules, world.state, day).filter(
    ({ enabled, check, applies_to }) => enabled && deciding.includes(check) && [type, "all"].includes(applies_to),
  );
  return (
    transaction_type === "sale" &&
    line_items.some(isCannabis) &&
    rules.length > 0 &&
    (customer.id_type !== "caregiver" || !rules.some(({ check }) => check === "minimum_age")) &&
    rules
      .filter(({ check }) => check.endsWith("_limit"))
      .every((rule) =>
        line_items.every((line) => productKinds(line).length !== 1 || measures(rule, productKinds(line)[0] ?? "")),
      )
  );
}

const retailDemo = demoBusinesses.flatMap(({ posType, record }) =>
  posType !== null && record.business_type === "retail"
    ? [{ crbId: record.id, posType, state: record.state ?? "", timezone: record.timezone ?? "" }]
    : [],
);
const ofStates = ["AZ", "CA", "CO", "FL", "IL", "MA", "MI", "NJ", "NV", "NY", "OR", "WA", "VT"].map((state, i) => ({
  crbId: `00000000-0000-4000-8000-0000000000${10 + i}`,
  posType: "Flowhub" as const,
  state,
  timezone: "America/Los_Angeles",
}));
const worldIn = (connection: Partial<Connection>) =>
  worldOf({ ...testConnection, connectedAt: "2026-03-20T20:00:00.000Z", ...connection }, 1);

describe.each([...retailDemo, ...ofStates])("sales of a $posType shop in $state", (connection) => {
  const world = worldIn({ ...connection, businessType: "retail" });
  const all = simulated(world);
  const findings = all.map((sale) => {
    const { compliance_status, compliance_exceptions, compliance_warnings } = checkSale(sale, world.state, saleRules);
    const texts = [...(compliance_exceptions ?? []), ...(compliance_warnings ?? [])];
    return { sale, status: compliance_status, rules: texts.map((text) => text.split(": ")[0]) };
  });
  const breakable = [...new Set(all.flatMap(({ day }) => breakableRules(world, day).map(({ id }) => id)))];

  test("have findings only if they say that they break that rule", () => {
    for (const { sale, rules } of findings) expect(rules).toEqual([brokenRuleOf(sale) ?? []].flat());
  });

  test("break each rule that they can break, in 3 of 1,000 sales", () => {
    const broken = all.map(brokenRuleOf).filter((rule) => rule !== null);
    expect(broken.length).toBe(breakable.length === 0 ? 0 : (3 * number) / 1000);
    expect([...new Set(broken)].sort()).toEqual(breakable.sort());
  });

  test("are checked otherwise, where the state's rules decide", () => {
    const decidable = findings.filter(({ sale }) => brokenRuleOf(sale) === null && isDecidable(world, sale));
    const checked = decidable.filter(({ status }) => status === "svc_checked");
    expect(checked.length).toBeGreaterThanOrEqual(0.9 * decidable.length);
    if (breakable.length > 0) expect(decidable.length).toBeGreaterThan(1_000);
  });
});

test("documents stay valid for years, because they are renewed", () => {
  const world = worldIn({ state: "CO" });
  const population = sales.population(world);
  const arrived = 5_000 + (population.arrivals?.by(5 * 365 * 86_400) ?? 0);
  for (let index = arrived - 2_000; index < arrived; index++) {
    const { tick } = recordVersionOf(population, index, 5 * 365 * 86_400);
    const sale = stored(
      world,
      sales.record(world, { index, version: 0, tick }) as PosRetailSale,
      instantOf(world, tick),
    );
    const texts = checkSale(sale, "CO", saleRules).compliance_warnings ?? [];
    expect(texts.filter((text) => !text.startsWith(`${brokenRuleOf(sale)}:`))).toEqual([]);
  }
});

describe("a sale that a caller makes", () => {
  const date = "2026-03-25T10:15:00.000Z";
  const made = (world: World, violation?: string) => {
    const control = { type: "sale" as const, date, changed: date, ...(violation && { violation }) };
    return stored(world, controlledSale(world, [control], 0) as PosRetailSale, new Date(date));
  };

  test.each(
    ofStates.flatMap((connection) => {
      const world = worldIn({ ...connection, businessType: "retail" });
      const checks = breakableRules(world, "2026-03-24").map(({ check }) => check);
      return [...new Set(checks)].map((check) => [connection.state, check, world] as const);
    }),
  )("in %s breaks %s if the caller wants it", (state, check, world) => {
    const sale = made(world, check);
    const rule = brokenRuleOf(sale);
    const { compliance_exceptions, compliance_warnings } = checkSale(sale, state, saleRules);
    const texts = [...(compliance_exceptions ?? []), ...(compliance_warnings ?? [])];
    expect(texts.map((text) => text.split(": ")[0])).toEqual([rule]);
    expect(saleRules.find(({ id }) => id === rule)?.check).toBe(check);
    expect(sale.date && sale.date <= date).toBe(true);
  });

  test("at night is one of the evening before, if the state forbids sales at night", () => {
    const [forbidden, allowed] = ["WA", "CO"].map((state) => made(worldIn({ state, businessType: "retail" })));
    expect(forbidden?.local_date).toMatch(/^2026-03-24 20:/);
    expect(allowed?.date).toBe(date);
    expect(checkSale(forbidden as TestSale, "WA", saleRules).compliance_exceptions ?? []).toEqual([]);
  });
});
