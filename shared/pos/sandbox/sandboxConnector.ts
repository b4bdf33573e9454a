import type { RecordKind } from "../../api/kinds.ts";
import { lacks } from "../../api/pos/posTypes.ts";
import type { ControlledSale, SandboxControls } from "../../store/crb.ts";
import {
  type Connection,
  type Connector,
  noRecords,
  PosError,
  type PosFailure,
  type PosStore,
  type PullPage,
  type PullRequest,
} from "../connector.ts";
import { customers } from "./customers.ts";
import { inventory } from "./inventory.ts";
import { locations } from "./locations.ts";
import { products } from "./products.ts";
import { controlledSale, controlledSaleId, sales } from "./sales.ts";
import { recordVersions, type SandboxKind, tickAt, type World, worldOf } from "./world.ts";

const kinds: { [Kind in RecordKind]: SandboxKind<Kind> } = {
  location: locations,
  product: products,
  customer: customers,
  inventory,
  sale: sales,
};

/** The passwords that are accepted with the user name `testing`. All others are rejected. */
const acceptedPasswords: Connection["credentials"][string][] = ["valid-password", "testing"];

const stores: PosStore[] = [{ id: "testing", name: "Sandbox Store", address: "1 Test Street" }];
const pageSize = 250;

/**
 * The simulated POS that replaces every real POS on stages without real businesses (docs/spec.md#sandbox-values). The
 * watermark is the instant up to which the POS was read; the position is the number of records that the pull has read.
 */
export function sandboxConnector(tickSeconds: number): Connector {
  // Worlds are cached, because a pull has many pages and a world keeps the records that it generated.
  const worlds = new Map<string, World>();
  const worldFor = ({ credentials: _, sandbox: __, ...connection }: Connection): World => {
    const key = JSON.stringify(connection);
    const world = worlds.get(key) ?? worldOf(connection, tickSeconds);
    worlds.set(key, world);
    return world;
  };
  return {
    async verify(connection) {
      checkCredentials(connection.credentials);
      return stores;
    },
    async pull(connection, request) {
      checkCredentials(connection.credentials);
      failAsControlled(connection.sandbox ?? {}, new Date());
      if (connection.locationId !== null && !stores.some((store) => store.id === connection.locationId)) {
        throw new PosError("locationGone");
      }
      if (lacks(connection.posType, request.kind)) {
        return noRecords({ watermark: request.now.toISOString(), readAll: true });
      }
      const world = worldFor(connection);
      const page = pullPage(world, kinds[request.kind], request);
      return request.kind === "sale"
        ? withControlledSales(world, connection.sandbox?.sales ?? [], page, request)
        : page;
    },
  };
}

function pullPage<Kind extends RecordKind>(
  world: World,
  kind: SandboxKind<Kind>,
  { since, position, now }: PullRequest<Kind>,
): PullPage<Kind> {
  const complete = since === null || kind.complete === true;
  const from = complete ? null : tickAt(world, new Date(since));
  const all = recordVersions(kind.population(world), from, tickAt(world, now));
  const start = Number(position ?? 0);
  const end = start + pageSize;
  return {
    records: all.slice(start, end).map((standing) => kind.record(world, standing)),
    rejected: [],
    total: all.length,
    next: end < all.length ? { position: String(end) } : { watermark: now.toISOString() },
    complete,
  };
}

/** Milliseconds before the watermark from which a pull repeats controlled sales: a worker can read the controls late. */
const overlapMs = 15 * 60_000;

/** Adds the new and changed sales that callers made to the last page of a pull. */
function withControlledSales<Kind extends RecordKind>(
  world: World,
  sales: readonly ControlledSale[],
  page: PullPage<Kind>,
  { since }: PullRequest<Kind>,
): PullPage<Kind> {
  if ("position" in page.next || sales.length === 0) return page;
  const from = since === null ? 0 : Date.parse(since) - overlapMs;
  const changed = [...sales.entries()].filter(([, { changed }]) => Date.parse(changed) >= from);
  const { unreadable = [], readable = [] } = Object.groupBy(changed, ([, { isUnreadable }]) =>
    isUnreadable ? "unreadable" : "readable",
  );
  return {
    ...page,
    records: [
      ...page.records,
      ...readable.map(([number]) => controlledSale(world, sales, number)),
    ] as typeof page.records,
    rejected: unreadable.map(([number]) => ({
      posId: controlledSaleId(world, number),
      field: "line_items.0.num_units",
      reason: "invalid_type",
    })),
    total: page.total === null ? null : page.total + changed.length,
  };
}

function checkCredentials(credentials: Connection["credentials"]): void {
  const { username, password } = credentials;
  const accepted =
    username !== undefined && password !== undefined
      ? username === "testing" && acceptedPasswords.includes(password)
      : !Object.values(credentials).includes("invalid-password");
  if (!accepted) {
    throw new PosError("credentialsRefused");
  }
}

/** Callers wait for the consequences of a failure, so retries follow soon. */
const maxPauseMs = 10_000;

/** @throws PosError if a caller makes the POS fail now */
function failAsControlled({ rejectsCredentials, failure }: SandboxControls, now: Date): void {
  if (rejectsCredentials) throw new PosError("credentialsRefused", { maxPauseMs });
  if (!failure || Date.parse(failure.until) <= now.getTime()) return;
  const code = failure.error.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  throw new PosError(code as PosFailure, { maxPauseMs });
}
