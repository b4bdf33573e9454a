import type { RecordKind } from "../../api/kinds.ts";
import type { Connection, PullRequest } from "../connector.ts";
import { AsyncCache } from "./asyncCache.ts";
import { credentialsFingerprint } from "./credentialsFingerprint.ts";

/** Makes a function that reads data of a pull, which each process reads only once. */
export function oncePerPull<Pull extends { connection: Connection; request: PullRequest<RecordKind> }, Value>(
  read: (pull: Pull) => Promise<Value>,
  maxPulls = 8,
): (pull: Pull) => Promise<Value> {
  const known = new AsyncCache<Value>(maxPulls, 15 * 60_000);
  return (pull) => {
    const { connection, request } = pull;
    const key = [connection.crbId, request.kind, request.now.toISOString(), credentialsFingerprint(connection)];
    return known.get(key.join(" "), () => read(pull));
  };
}
