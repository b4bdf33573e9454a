import { readFileSync } from "node:fs";
import * as z from "zod";
import { readEndpoint, readEndpoints } from "../../../shared/domain/webhooks/endpoint.ts";
import type { Table } from "../../../shared/store/client.ts";
import { StageError } from "../../cli/stageError.ts";
import { writeAtomically } from "../../cli/writeAtomically.ts";
import type { Demo } from "../demo.ts";
import type { Receiver } from "./receiver.ts";

/** The path of the endpoint, by which the stage recognizes its own endpoints. */
const receiverPath = "demo-events";

/** The stored registration: the port to reuse, and the secret, which the API shows once. */
const registration = z.object({ port: z.number(), endpoint_id: z.string(), secret: z.string() });

type Registration = z.output<typeof registration>;

/** The registration of an earlier start; undefined if there is none. */
export function readRegistration(file: string): Registration | undefined {
  try {
    return registration.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

interface Registering {
  table: Table;
  baseUrl: string;
  demo: Demo;
  receiver: Receiver;
  file: string;
}

/**
 * Registers the receiver at its current port as a webhook endpoint of the demo's service provider, through the API. A later
 * start usually changes nothing and costs one read.
 *
 * @throws StageError if the API rejects the endpoint
 */
export async function register({ table, baseUrl, demo, receiver, file }: Registering): Promise<void> {
  const { sp_id, client_secret } = demo.service_provider;
  const call = async (method: string, id = "", body?: object) => {
    const response = await fetch(`${baseUrl}/service-providers/${sp_id}/webhook-endpoints${id && `/${id}`}`, {
      method,
      headers: { Authorization: client_secret, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as { id: string; secret: string } };
  };
  const done = ({ status }: { status: number }) => {
    if (status !== 200)
      throw new StageError(
        `The demo's webhook endpoint was rejected with ${status}; see log.jsonl in the data directory.`,
      );
  };
  const url = receiver.page + receiverPath;
  const port = Number(new URL(url).port);
  const known = readRegistration(file);
  const stored = known && (await readEndpoint(table, sp_id, known.endpoint_id));
  if (known && stored) {
    receiver.isRegistered(known.secret);
    // If a caller has changed the endpoint's URL, the new URL stays.
    if (stored.url === url || !isReceiver(stored.url)) return;
    done(await call("PUT", stored.id, { url }));
    writeAtomically(file, JSON.stringify({ ...known, port }));
    return;
  }
  // These endpoints are from a start that was interrupted before it stored the secret.
  const orphans = (await readEndpoints(table, sp_id)).filter((endpoint) => isReceiver(endpoint.url));
  for (const { id } of orphans) await call("DELETE", id);
  const created = await call("POST", "", { url, description: "The webhook page of the local stage" });
  // The service provider already has the maximum of ten endpoints.
  if (created.status === 409) return;
  done(created);
  const { id, secret } = created.json;
  writeAtomically(file, JSON.stringify({ port, endpoint_id: id, secret } satisfies Registration));
  receiver.isRegistered(secret);
}

const isReceiver = (url: string): boolean => url.startsWith("http://127.0.0.1:") && url.endsWith(`/${receiverPath}`);
