import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { type Bench, median } from "../bench.ts";
import type { sharesOf } from "../profile.ts";

const connections = 32;
const seconds = 3;
const rounds = 3;

type Shares = ReturnType<typeof sharesOf>;

/** Measures the requests per second of the local stage's server, for customers by id, and where its time goes. */
export async function server(bench: Bench): Promise<void> {
  const { spId, crbId, secret } = await bench.data.customers(bench.records);
  const list = recordList(crbId, "customer");
  const page = await readPage(bench.table, list, { offset: 0, limit: 1 }, { attribute: "sk" });
  const path = `/service-providers/${spId}/crbs/${crbId}/customers/${page.records[0]}`;
  const stage = fork(new URL("../server/stageProcess.ts", import.meta.url), { serialization: "advanced" });
  try {
    const [{ ports }] = (await once(stage, "message")) as [{ ports: { service: number; empty: number } }];
    const load = (port: number) => requestsASecond(`http://127.0.0.1:${port}${path}`, secret);
    const speeds = { service: [] as number[], empty: [] as number[] };
    for (let round = -1; round < rounds; round++) {
      for (const name of round % 2 ? (["empty", "service"] as const) : (["service", "empty"] as const)) {
        bench.progress(`Loading the local stage, ${name} handler`);
        const speed = await load(ports[name]);
        if (round >= 0) speeds[name].push(speed);
      }
    }
    const name = `Local stage, ${connections} connections, customers by id`;
    bench.figure(name, median(speeds.service), "requests a second");
    bench.figure(`${name}: with an empty handler`, median(speeds.empty), "requests a second");

    bench.progress("Profiling the local stage");
    stage.send("start");
    await load(ports.service);
    stage.send("stop");
    const [{ shares }] = (await once(stage, "message")) as [{ shares: { server: Shares; functions: Shares } }];
    for (const [thread, { busy, shares: parts }] of Object.entries(shares)) {
      bench.figure(`${name}: thread of ${thread}, busy`, busy * 100, "%");
      for (const [place, share] of parts.slice(0, 6)) {
        bench.figure(`${name}: thread of ${thread}, ${place}`, share * 100, "% of that");
      }
    }
  } finally {
    stage.kill();
    await once(stage, "exit");
  }
}

/** Autocannon runs in a separate process, so that neither process disturbs the other's event loop. */
async function requestsASecond(url: string, secret: string): Promise<number> {
  const program = fileURLToPath(import.meta.resolve("autocannon"));
  const options = ["-c", String(connections), "-d", String(seconds), "-H", `Authorization=${secret}`, "--json", url];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...options]);
  const { requests, non2xx, errors } = JSON.parse(stdout);
  if (non2xx || errors) throw new Error(`${url}: ${non2xx} rejections, ${errors} errors`);
  return requests.average;
}
