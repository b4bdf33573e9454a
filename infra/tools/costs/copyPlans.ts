import { changedGigabytesOf, computeTableGigabytes, drivers, type Load, tableCopies, totalOf } from "./month.ts";
import { prices } from "./prices.ts";
import type { CopyPlan } from "./usageSets.ts";
import { before, present } from "./usageSets.ts";

/** A way to copy the table to another region. */
interface CopyWay {
  name: string;
  /** The data that a lost region takes with it, and the time until the table can be used. */
  recoveryPoint: string;
  recoveryTime: string;
  /** Dollars of a month. */
  dollars(load: Load): number;
}

/** Prices of a replica, which no template has. A replicated write costs as much as a write. */
const replicaPrices = { writeUnit: prices.writeUnit, gigabyte: 0.25, transferredGigabyte: prices.copiedGigabyte };

const byPlan = (plan: CopyPlan) => (load: Load) =>
  totalOf(
    tableCopies(plan, computeTableGigabytes(load, present), changedGigabytesOf(drivers(load)), load.businesses).parts,
  );

/** The ways that docs/decisions/copies-to-another-region.md compares, each with the writes of this release. */
export const copyWays: readonly CopyWay[] = [
  {
    name: "a copy each night, kept for 7 days",
    recoveryPoint: "a day, and the hours of copying",
    recoveryTime: "a restore",
    dollars: byPlan(before.copies),
  },
  {
    name: "six copies a month, kept for 8 days",
    recoveryPoint: "six days, and the hours of copying",
    recoveryTime: "a restore",
    dollars: byPlan({ fullCopies: present.copies.fullCopies, daysKept: present.copies.daysKept }),
  },
  {
    name: "**six copies a month, and the changes of each hour**",
    recoveryPoint: "two hours",
    recoveryTime: "a restore, and six days of changes at most",
    dollars: byPlan(present.copies),
  },
  {
    name: "a replica (global table)",
    recoveryPoint: "seconds",
    recoveryTime: "none for the table",
    dollars: (load) => {
      const changing = drivers(load);
      const writeUnits = changing.reduce((all, { writeUnits: each = 0 }) => all + each, 0);
      return (
        writeUnits * replicaPrices.writeUnit +
        computeTableGigabytes(load, present) * replicaPrices.gigabyte +
        changedGigabytesOf(changing) * replicaPrices.transferredGigabyte
      );
    },
  },
];
