import { type Profiler, Session } from "node:inspector/promises";

/** Starts a CPU profile of this thread. The returned function ends it. */
export async function startProfile(): Promise<() => Promise<Profiler.Profile>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 500 });
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    return profile;
  };
}

/** Waiting, and the profiler's own cost. */
const notCounted = ["(idle)", "test/bench"];

type Node = Profiler.Profile["nodes"][number];

/**
 * The busy time of a thread by package or folder, as shares, biggest first. Time in code that is built into V8 and Node counts
 * for its caller.
 */
export function sharesOf(profile: Profiler.Profile): { busy: number; shares: [place: string, share: number][] } {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const callers = new Map(profile.nodes.flatMap((node) => node.children?.map((id) => [id, node] as const) ?? []));
  const places = new Map([...nodes].map(([id, node]) => [id, placeOf(node, callers)]));
  const times = new Map<string, number>();
  for (const [i, sample] of (profile.samples ?? []).entries()) {
    const place = places.get(sample) ?? "";
    times.set(place, (times.get(place) ?? 0) + (profile.timeDeltas?.[i] ?? 0));
  }
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  const busy = all - notCounted.reduce((sum, place) => sum + (times.get(place) ?? 0), 0);
  for (const place of notCounted) times.delete(place);
  const shares = [...times]
    .map(([place, time]): [string, number] => [place, time / busy])
    .sort(([, a], [, b]) => b - a);
  return { busy: busy / all, shares };
}

function placeOf(node: Node, callers: Map<number, Node>): string {
  let place: Node | undefined = node;
  while (place) {
    const { url, functionName } = place.callFrame;
    const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (dependency) return dependency;
    const own = /\/((?:shared|functions|infra|test)\/[^/]+)\//.exec(url)?.[1];
    if (own) return own;
    if (functionName === "(garbage collector)" || functionName === "(idle)") return functionName;
    if (url === "node:http" || url === "node:_http_outgoing" || url.startsWith("node:net")) return "node:http";
    place = callers.get(place.id);
  }
  return "node itself";
}
