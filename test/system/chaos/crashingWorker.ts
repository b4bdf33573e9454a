import { subscribe } from "node:diagnostics_channel";
import { json } from "node:stream/consumers";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { replicateCrb } from "../../../shared/domain/replication/replicateCrb.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { connectorTo, type FakeAddress, type PosName } from "../../shared/pos/fakes/fakePos.ts";
import { TestClock } from "../../shared/store/orderedList/listUnderTest.ts";

// A process that replicates all kinds of a CRB's records. The system kills it when its n-th response arrives from the
// table or the POS.

/** The process's standard input. */
export interface CrashingWork {
  pos: PosName;
  address: FakeAddress;
  crbId: string;
  /** start of its clock, ISO 8601 */
  now: string;
  /** number of responses until it is killed; null for never */
  answers: number | null;
}

const { pos, address, crbId, now, answers } = (await json(process.stdin)) as CrashingWork;
let come = 0;
const countAnswer = () => {
  if (++come === answers) process.kill(process.pid, "SIGKILL");
};
subscribe("http.client.response.finish", countAnswer);
subscribe("undici:request:headers", countAnswer);

const clock = new TestClock(now);
const connector = connectorTo(pos, address, { clock, listPageSize: 3 });
const outcomes: string[] = [];
for (const kind of recordKinds) {
  const deadline = new Date(clock.time + 60 * 60_000);
  const work = { crb_id: crbId, kind };
  const { outcome } = await replicateCrb(serviceTable(), work, { deadline, clock, connectorOf: () => connector });
  outcomes.push(outcome);
}
process.stdout.write(JSON.stringify({ outcomes }));
