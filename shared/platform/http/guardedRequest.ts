import { lookup as lookUp } from "node:dns";
import { type ClientRequest, type RequestOptions, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { canConnect } from "./canConnect.ts";

/** The host has no address, or has an address that the service must not connect to. */
export class AddressError extends Error {
  override readonly name = "AddressError";
}

/** Overrides for tests. */
export interface GuardOverrides {
  /** Resolves a name to its addresses. */
  resolve?: LookupFunction;
  mayConnect?: typeof canConnect;
}

/**
 * Begins a request to a URL that a caller chose. It has a new connection, and uses no redirects, proxies or cookies. The
 * connection uses an address that was checked, because a second DNS lookup could return another address. Failures of the
 * connection are events of the request.
 *
 * @returns undefined if the host is an address that the service must not connect to
 */
export function guardedRequest(
  target: URL,
  { headers, ...options }: Pick<RequestOptions, "method" | "signal"> & { headers?: Record<string, string> },
  { resolve = lookUp as LookupFunction, mayConnect = canConnect }: GuardOverrides = {},
): ClientRequest | undefined {
  const isGood = (address: string) => mayConnect(target, address);
  // If the host is an address, Node does not call `lookup`, so the address is checked here.
  const literal = target.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(literal) && !isGood(literal)) return undefined;
  const request = (target.protocol === "https:" ? requestTls : requestPlain)(target, {
    ...options,
    agent: false,
    lookup: checkedLookup(resolve, isGood),
    headers: { "user-agent": "business-data-access", ...headers },
  });
  // If the server upgrades the protocol, Node emits no other event, and the request would not end before its timeout.
  request.on("upgrade", (_answer, socket) => {
    socket.destroy();
    request.emit("error", new Error("the server tried to change the protocol"));
  });
  // The request may emit an error after its result is known. Without this listener, Node would end the process.
  request.on("error", () => undefined);
  return request;
}

/** Resolves a name, and returns its addresses only if the service may connect to all of them. */
function checkedLookup(resolve: LookupFunction, isGood: (address: string) => boolean): LookupFunction {
  return (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      const addresses = error ? [] : [found].flat().map((one) => (typeof one === "string" ? one : one.address));
      if (addresses.length === 0 || !addresses.every(isGood)) {
        done(new AddressError(), "");
        return;
      }
      const checked = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all) done(null, checked);
      else done(null, checked[0]?.address ?? "", checked[0]?.family);
    });
}
