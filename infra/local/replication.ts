import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SQSEvent } from "aws-lambda";
import { type RecordKind, recordKinds } from "../../shared/api/kinds.ts";
import type { ReplicationMessage } from "../../shared/domain/replication/replicationMessage.ts";
import type { ReplicationState } from "../../shared/domain/replication/replicationState.ts";
import { isPaused } from "../../shared/domain/statuses/crbStatus.ts";
import type { Table } from "../../shared/store/client.ts";
import { toCrb } from "../../shared/store/crb.ts";
import { crbKey } from "../../shared/store/keys/crbs.ts";
import { replicationKey } from "../../shared/store/keys/replication.ts";
import { readAllDue } from "../../shared/store/replicationDue.ts";
import { StageError } from "../cli/stageError.ts";
import { demoBusinesses } from "./demoBusinesses.ts";
import type { FunctionHost } from "./functionHost.ts";
import { sqsEvent } from "./sqsEvent.ts";

const demoIds = demoBusinesses.map(({ record }) => record.id);

/** The content of one message of the replication queue. */
interface Task {
  crbId: string;
  name: string;
  kind: RecordKind;
}

/**
 * Runs the replications that a stage waits for: the first replications of the demo, and the replications that a test
 * requests. This class passes their messages to the worker in this process. The messages of all other replications come
 * from the planner through the queue.
 */
export class LocalReplication {
  readonly #table: Table;
  readonly #host: FunctionHost;
  #running: Promise<void> = Promise.resolve();

  constructor(table: Table, host: FunctionHost) {
    this.#table = table;
    this.#host = host;
  }

  /** Releases the leases of a killed stage. Safe only if no other stage uses the data. */
  async freeLeases(): Promise<void> {
    const free = async (task: Task) => {
      if (!(await this.#state(task))?.held_until) return;
      await this.#table.update(replicationKey(task.crbId, task.kind), { held_until: 0 });
    };
    await Promise.all((await this.#tasks()).map(free));
  }

  /** Whether every replication of the demo has succeeded once. */
  async isComplete(): Promise<boolean> {
    return (await this.#missing(await this.#demoTasks())).length === 0;
  }

  /**
   * Replicates the customers of the demo's first business, unless an earlier replication of these customers has
   * succeeded. Calls `onFirstPage` when the first page can be read.
   */
  async firstList(onFirstPage: () => void): Promise<void> {
    const [first] = demoIds;
    const tasks = (await this.#demoTasks()).filter(({ crbId, kind }) => crbId === first && kind === "customer");
    const completed = this.#complete(tasks);
    await Promise.race([completed, this.#begun(tasks, completed)]);
    onFirstPage();
    await completed;
  }

  /**
   * Runs every replication of the demo that has never succeeded. Calls `onComplete` for each business that becomes
   * complete, with the numbers of its records, such as `400 products`.
   */
  async everything(onComplete: (business: string, counts: readonly string[]) => void): Promise<void> {
    await ofEachBusiness(await this.#demoTasks(), async (kinds) => {
      if (!(await this.#complete(kinds))) return;
      const counts = kinds.map(async (task) => `${(await this.#state(task))?.counts.read} ${plural(task.kind)}`);
      onComplete(kinds[0]?.name ?? "", await Promise.all(counts));
    });
  }

  /** Replicates all changes of every connected CRB, after the replications in progress. The worker logs failures. */
  again(): Promise<void> {
    this.#running = this.#running
      .catch(() => undefined)
      .then(async () => ofEachBusiness(await this.#tasks(), (kinds) => this.#run(kinds)));
    return this.#running;
  }

  /** Passes one message per task to the worker, one after the other. */
  async #run(tasks: readonly Task[]): Promise<void> {
    for (const task of tasks) await this.#host.invoke("replication/worker", messageOf(task), randomUUID());
  }

  /** Runs the tasks of one business that have never succeeded; false if there was no such task. */
  async #complete(tasks: readonly Task[]): Promise<boolean> {
    const missing = await this.#missing(tasks);
    await this.#run(missing);
    for (const task of missing) {
      const state = await this.#state(task);
      if (!state?.succeeded_at) {
        const reason = state?.error ?? "no response";
        throw new StageError(
          `The ${plural(task.kind)} of ${task.name} could not be replicated (${reason}); see log.jsonl in the data directory.`,
        );
      }
    }
    return missing.length > 0;
  }

  /** Waits until the first records are stored, or the replication ends without any. */
  async #begun(tasks: readonly Task[], completed: Promise<unknown>): Promise<void> {
    let watching = true;
    const stop = () => {
      watching = false;
    };
    completed.then(stop, stop);
    while (watching) {
      const states = await Promise.all(tasks.map((task) => this.#state(task)));
      if (states.every((state) => (state?.counts.read ?? 0) > 0)) return;
      await sleep(100);
    }
  }

  /** The tasks that have never succeeded. */
  async #missing(tasks: readonly Task[]): Promise<Task[]> {
    const states = await Promise.all(tasks.map((task) => this.#state(task)));
    return tasks.filter((_, index) => !states[index]?.succeeded_at);
  }

  async #demoTasks(): Promise<Task[]> {
    return (await this.#tasks()).filter(({ crbId }) => demoIds.includes(crbId));
  }

  /** One task for each kind of records of each connected CRB. */
  async #tasks(): Promise<Task[]> {
    const keys = (await readAllDue(this.#table)).map(({ crbId }) => crbKey(crbId));
    const crbs = [...(await this.#table.batchGet(keys)).values()].map(toCrb);
    return crbs
      .filter(({ record }) => !isPaused(record.status))
      .flatMap(({ record: { id, name } }) => recordKinds.map((kind) => ({ crbId: id, name, kind })));
  }

  async #state({ crbId, kind }: Task): Promise<ReplicationState | undefined> {
    return (await this.#table.get(replicationKey(crbId, kind))) as unknown as ReplicationState | undefined;
  }
}

/** Runs the work for all businesses in parallel, so that one business does not delay another. */
async function ofEachBusiness(tasks: readonly Task[], work: (kinds: readonly Task[]) => Promise<void>): Promise<void> {
  await Promise.all([...Map.groupBy(tasks, ({ crbId }) => crbId).values()].map(work));
}

function plural(kind: RecordKind): string {
  return kind === "inventory" ? kind : `${kind}s`;
}

function messageOf({ crbId, kind }: Task): SQSEvent {
  const message: ReplicationMessage = { crb_id: crbId, kinds: [kind] };
  return sqsEvent("replication", JSON.stringify(message));
}
