import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SQSEvent } from "aws-lambda";
import { isPaused } from "../../shared/onboarding/crbStatus.ts";
import type { ReplicationState } from "../../shared/replication/lease.ts";
import type { ReplicationMessage } from "../../shared/replication/message.ts";
import { itemId, type Table } from "../../shared/table/client.ts";
import { toCrb } from "../../shared/table/crbs.ts";
import { crbKey, type RecordKind, recordKinds, replicationKey } from "../../shared/table/keys.ts";
import { readAllDue } from "../../shared/table/replicationDue.ts";
import { demoServiceProvider } from "./demoBusinesses.ts";
import type { FunctionHost } from "./functionHost.ts";
import type { Progress } from "./progress.ts";
import { sqsEvent } from "./sqsEvent.ts";
import { StageError } from "./stageError.ts";

/** What one message of the replication queue asks for. */
interface Task {
  crbId: string;
  name: string;
  kind: RecordKind;
}

/**
 * The replications that a stage waits for: the demo's first ones, and those that a test asks for. It hands the worker
 * their messages in this process; all others come from the planner, by the queue.
 */
export class LocalReplication {
  readonly #table: Table;
  readonly #host: FunctionHost;
  #running: Promise<void> = Promise.resolve();

  constructor(table: Table, host: FunctionHost) {
    this.#table = table;
    this.#host = host;
  }

  /** Frees what a stage that was killed had under way. Only for a stage that has the data for itself. */
  async freeLeases(): Promise<void> {
    for (const task of await this.#tasks()) {
      if (await this.#state(task)) await this.#table.update(replicationKey(task.crbId, task.kind), { held_until: 0 });
    }
  }

  /**
   * Replicates what of the demo was never replicated to its end, telling how far it has come; returns at once when there
   * is none.
   *
   * @throws StageError when a replication fails
   */
  async first(progress: Progress | undefined): Promise<void> {
    const tasks: Task[] = [];
    for (const task of await this.#tasks(demoServiceProvider.id)) {
      if (!(await this.#state(task))?.succeeded_at) tasks.push(task);
    }
    const watch = new AbortController();
    // What is shown is no reason to fail: a table that is out of reach shows in the run itself.
    const watching = progress && this.#watch(tasks, progress, watch.signal).catch(() => undefined);
    try {
      await this.#run(tasks);
    } finally {
      watch.abort();
      await watching;
      progress?.close();
    }
    for (const task of tasks) {
      const state = await this.#state(task);
      if (!state?.succeeded_at) {
        const reason = state?.error ?? "no answer";
        throw new StageError(
          `The ${plural(task.kind)} of ${task.name} could not be replicated (${reason}); see log.jsonl.`,
        );
      }
    }
  }

  /** Replicates what is new, for every connected CRB, after what is under way. A failure is the worker's to log. */
  again(): Promise<void> {
    this.#running = this.#running.catch(() => undefined).then(async () => this.#run(await this.#tasks()));
    return this.#running;
  }

  async #run(tasks: readonly Task[]): Promise<void> {
    // A message each. What waits for one business leaves the others alone; of one business, kind after kind.
    const businesses = Map.groupBy(tasks, ({ crbId }) => crbId).values();
    await Promise.all(
      [...businesses].map(async (kinds) => {
        for (const task of kinds) await this.#host.invoke("replication/worker", messageOf(task), randomUUID());
      }),
    );
  }

  async #watch(tasks: readonly Task[], progress: Progress, signal: AbortSignal): Promise<void> {
    for (let last = false; !last; ) {
      last = signal.aborted;
      const items = await this.#table.batchGet(tasks.map(({ crbId, kind }) => replicationKey(crbId, kind)));
      for (const task of tasks) {
        const state = items.get(itemId(replicationKey(task.crbId, task.kind))) as ReplicationState | undefined;
        const done = state?.counts.read ?? 0;
        if (state?.succeeded_at) progress.finish(labelOf(task), done);
        else progress.update(labelOf(task), done, state?.total ?? null);
      }
      await sleep(200, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Every kind of records of every connected CRB, or those of one service provider. */
  async #tasks(serviceProviderId?: string): Promise<Task[]> {
    const crbIds = new Set((await readAllDue(this.#table)).map(({ crbId }) => crbId));
    const crbs = [...(await this.#table.batchGet([...crbIds].map(crbKey))).values()].map(toCrb);
    return crbs
      .filter((crb) => !serviceProviderId || crb.serviceProviderId === serviceProviderId)
      .filter(({ record }) => !isPaused(record.status))
      .flatMap(({ record: { id, name } }) => recordKinds.map((kind) => ({ crbId: id, name, kind })));
  }

  async #state({ crbId, kind }: Task): Promise<ReplicationState | undefined> {
    return (await this.#table.get(replicationKey(crbId, kind))) as unknown as ReplicationState | undefined;
  }
}

function labelOf({ name, kind }: Task): string {
  return `${name}, ${plural(kind)}`;
}

function plural(kind: RecordKind): string {
  return kind === "inventory" ? kind : `${kind}s`;
}

function messageOf({ crbId, kind }: Task): SQSEvent {
  const message: ReplicationMessage = { crb_id: crbId, kind };
  return sqsEvent("replication", JSON.stringify(message));
}
