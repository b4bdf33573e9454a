import type * as z from "zod";
import { type Connection, PosError, type PosStore } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import type { PagedList } from "../../framework/pagedList.ts";
import type { PosCall } from "../../framework/posClient.ts";
import { daysAfter } from "../../framework/readRange.ts";
import { readRows } from "../../framework/readRow.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { type Definition, definition, entity, page } from "./responses.ts";
import { type IntacctAccess, Sessions } from "./sessions.ts";
import type { Elements } from "./xml.ts";

type ObjectName =
  | "ARADJUSTMENT"
  | "ARINVOICE"
  | "ARINVOICEITEM"
  | "CUSTOMER"
  | "ITEM"
  | "LOCATION"
  | "LOCATIONENTITY"
  | "SODOCUMENTENTRY"
  | "WAREHOUSE";

/** Fields that every object must have; `needed` lists further required fields of some objects. */
const everywhere = ["RECORDNO"];
const ofSales = ["STATE", "TOTALENTERED", "WHENCREATED"];
const needed: { [Name in ObjectName]?: readonly string[] } = {
  ARADJUSTMENT: ofSales,
  ARINVOICE: ofSales,
  SODOCUMENTENTRY: ["DOCNO", "QUANTITY", "PRICE", "TOTAL"],
};

/** Maximum of rows per request. */
const pageSize = 1000;
const definitionLifetime = 15 * 60_000;

export interface IntacctService extends IntacctAccess {
  definitions: AsyncCache<Definition>;
}

export const newDefinitions = () => new AsyncCache<Definition>(50, definitionLifetime);

/** The only store of a company without entities: the company's top level. */
const topLevel: PosStore = { id: "top-level", name: "Top level", address: null };

/** Selects the rows of the store's entity. The store of a company without entities has all rows. */
export function entityOf({ store }: { store: PosStore }) {
  return store.id === topLevel.id ? {} : { store: { ids: [store.id], idOf: "MEGAENTITYID" } };
}

/** The API of Intacct for one user of a company, limited to the connection's entity. */
export class IntacctApi implements StoreApi {
  readonly #definitions: AsyncCache<Definition>;
  readonly #sessions: Sessions;

  /** @throws PosError like the constructor of `Sessions` */
  constructor({ definitions, ...access }: IntacctService, connection: Connection) {
    const { locationId } = connection;
    this.#definitions = definitions;
    this.#sessions = new Sessions(access, connection, locationId === topLevel.id ? null : locationId);
  }

  /** Reads the company's entities in a session at the company's top level. */
  async stores(options: Partial<PosCall>): Promise<Stores> {
    const { date, ask } = await this.#sessions.atTop(options);
    const rows = await allRows("LOCATIONENTITY", Object.keys(entity.shape), {}, ask);
    const { rows: stores, rejected } = readRows(entity, rows, "LOCATIONID", ({ LOCATIONID: id, NAME }) => ({
      ...{ id, name: NAME ?? `Entity ${id}`, address: null },
    }));
    return { stores: rows.length === 0 ? [topLevel] : stores, hasUnreadable: rejected.length > 0, date };
  }

  /** Reads all rows of an object. Each page starts after the last record number, so that changes shift no rows. */
  async all(object: ObjectName, { shape }: z.ZodObject, filter: Elements = {}): Promise<unknown[]> {
    const fields = await this.#known(object, Object.keys(shape));
    return allRows(object, fields, filter, (ask, pattern) => this.#sessions.ask(ask, pattern));
  }

  /**
   * A list ordered by record number, so that new rows are added at its end.
   *
   * @param fullEveryDays see PagedList
   */
  list(object: ObjectName, { shape }: z.ZodObject, fullEveryDays: number, size = pageSize): PagedList {
    return {
      size,
      fullEveryDays,
      isOrdered: true,
      idField: "RECORDNO",
      countsRows: true,
      fetch: async (since, offset, pagesize) => {
        const fields = await this.#known(object, Object.keys(shape));
        const query = {
          ...selected(object, fields),
          // Starts one day earlier, because Intacct does not document the time zone of the filter.
          ...(since &&
            fields.includes("WHENMODIFIED") && {
              filter: { greaterthanorequalto: changedSince(daysAfter(since, -1)) },
            }),
          pagesize,
          offset,
        };
        const found = pageIn(await this.#sessions.ask({ query }, `query ${object}`), object, offset);
        return { rows: found.rows, isLast: found.remaining === 0, total: found.total };
      },
    };
  }

  /**
   * Returns the given fields that the object has in this company. A request fails completely if it names a field that
   * the object lacks.
   *
   * @throws PosError "notUnderstood" if a required field is missing
   */
  async #known(object: ObjectName, fields: readonly string[]): Promise<string[]> {
    const { fields: has, related } = await this.#definitions.get(`${this.#sessions.mark} ${object}`, async () => {
      const found = definition.safeParse(await this.#sessions.ask({ lookup: { object } }, `lookup ${object}`)).data;
      const isUsable = found && [...everywhere, ...(needed[object] ?? [])].every((field) => found.fields.has(field));
      if (!isUsable) throw new PosError("notUnderstood", { code: "definition" });
      return found;
    });
    return fields.filter((field) => has.has(field) || related.has(field.split(".")[0] ?? ""));
  }
}

type Ask = (ask: Elements, pattern: string) => Promise<unknown>;

/** @throws PosError "notUnderstood" if rows are not ordered by record number, because rows would then be missed */
async function allRows(object: ObjectName, fields: readonly string[], filter: Elements, ask: Ask): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let last = 0; ; ) {
    const behind = { greaterthan: { field: "RECORDNO", value: last } };
    const both = Object.keys(filter).length === 0 ? behind : { and: { ...behind, ...filter } };
    const query = { ...selected(object, fields), filter: both, pagesize: pageSize };
    // The filter excludes the rows up to `last`, so Intacct's count contains only the rows after it.
    const found = pageIn(await ask({ query }, `query ${object}`), object, 0);
    rows.push(...found.rows);
    const isAll = found.remaining === 0 && (found.total ?? 0) <= found.rows.length;
    if (found.rows.length === 0 || isAll) return rows;
    for (const row of found.rows) {
      const next = Number((row as { RECORDNO?: unknown } | null)?.RECORDNO);
      if (!(next > last)) throw new PosError("notUnderstood", { code: "order" });
      last = next;
    }
  }
}

const selected = (object: ObjectName, field: readonly string[]) => ({
  object,
  select: { field },
  orderby: { order: { field: "RECORDNO", ascending: "" } },
  options: { showprivate: true },
});

/** The condition that a row changed since an instant. Its value has the format `MM/DD/YYYY HH:MM:SS`, in UTC. */
function changedSince(instant: Date): Elements {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(instant.toISOString()) ?? [];
  return { field: "WHENMODIFIED", value: `${month}/${day}/${year} ${time}` };
}

/**
 * @param offset number of rows that precede the page and are included in Intacct's total count
 * @throws PosError "notUnderstood" also if a page is empty but states that there are rows, because such a page does not
 * end a list
 */
function pageIn(data: unknown, object: ObjectName, offset: number) {
  const { data: found, success } = page.safeParse(data);
  if (!success) throw new PosError("notUnderstood", { code: "page" });
  const rows: unknown[] = [found[object] ?? []].flat();
  const { "@numremaining": remaining, "@totalcount": total } = found;
  const hasOthers = Object.keys(found).some((name) => !name.startsWith("@") && name !== object);
  if (rows.length === 0 && ((remaining ?? 0) > 0 || (total ?? 0) > offset || hasOthers)) {
    throw new PosError("notUnderstood", { code: "page" });
  }
  return { rows, remaining, total };
}
