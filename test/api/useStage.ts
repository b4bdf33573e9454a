import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { firstRecordIds } from "../../infra/local/sampleEvent.ts";
import { type Stage, startStage } from "../../infra/local/stage.ts";
import { catalogue } from "../../shared/api/catalogue.ts";
import type { Operation, Route } from "../../shared/api/operation.ts";
import { copyDemoData } from "../demoData.ts";

/** Every door of every operation, as rows of a table of tests. */
export const doors: (Route & { operation: Operation })[] = catalogue.flatMap((operation) =>
  operation.routes.map((route) => ({ ...route, operation })),
);

/** The doors that a credential opens; the token exchange has its own tests. */
export const guardedDoors = doors.filter(({ caller }) => caller !== "anyone");

/** The body of a door's sample event, if it has one. */
function sampleBody({ operationId }: Route): string | undefined {
  const file = new URL(`../../events/${operationId}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).body ?? undefined;
}

/** One request of a test; what is left out is the demo's own. */
export interface StageRequest {
  /** The route's when absent. */
  method?: "HEAD" | "OPTIONS";
  authorization?: string | null;
  /** Further headers. */
  headers?: Record<string, string>;
  ids?: Record<string, string>;
  search?: string;
  /** The sample event's when absent. */
  body?: string | null;
  contentType?: string;
}

export interface StageAnswer {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

/** A stage that is served, and its data directory, which held the demo's data before. */
export interface Served {
  stage: Stage;
  data: string;
  /** To be called when it is needed no more. */
  end: () => Promise<void>;
}

/** A new directory with the demo's data. */
export async function demoDirectory(): Promise<string> {
  const data = mkdtempSync(join(inject("temporaryDirectory"), "stage-"));
  await copyDemoData(data);
  return data;
}

let serve = async (): Promise<Served> => {
  const data = await demoDirectory();
  const stage = await startStage({ port: 0, data, replicateEvery: 0 });
  return { stage, data, end: () => stage.stop() };
};

/** From here on, `useStage` has its stages from elsewhere. */
export function serveBy(other: typeof serve): void {
  serve = other;
}

/** A stage, a local one of this test file's own unless told otherwise, and calls of it by route. */
export function useStage() {
  let served: Served;
  const stage = () => served.stage;

  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served?.end());

  /** The demo service provider's id, its first CRB's, and those of a record of each kind of that. */
  async function demoIds() {
    const { service_provider, crbs } = stage().description;
    const crb = crbs[0];
    if (!crb) throw new Error("the demo has no CRB");
    const recordIds = await firstRecordIds(stage().table, crb.crb_id);
    return { sp_id: service_provider.sp_id, crb_id: crb.crb_id, ...recordIds };
  }
  let found: ReturnType<typeof demoIds> | undefined;
  const ids = () => {
    found ??= demoIds();
    return found;
  };

  /** The API key of the demo that opens a door. */
  const keyFor = ({ caller }: Route): string => {
    const { service_provider, crbs } = stage().description;
    return caller === "crb" ? (crbs[0]?.client_secret ?? "") : service_provider.client_secret;
  };

  const door = (id: string) => doors.find(({ operationId }) => operationId === id) as Route;

  /** What a call deletes, or changes for good: a document or a webhook endpoint to lose. */
  async function spare(route: Route): Promise<{ document_id?: string; endpoint_id?: string }> {
    if (route.path.includes("{endpoint_id}")) {
      return route.method === "GET" ? {} : { endpoint_id: String((await send(door("createWebhookEndpoint"))).json.id) };
    }
    if (route.method !== "DELETE") return {};
    return (await send(door("addRequirementDocument"))).json as { document_id: string };
  }

  /** Makes room for the next call that makes a webhook endpoint: there may be ten. */
  async function makeRoom(
    spared: { endpoint_id?: string },
    route: Route,
    { status, json }: StageAnswer,
  ): Promise<void> {
    const created = route.operationId === "createWebhookEndpoint" && status === 200 ? String(json.id) : undefined;
    const endpoint_id = created ?? spared.endpoint_id;
    if (endpoint_id) await send(door("deleteWebhookEndpoint"), { ids: { endpoint_id } });
  }

  async function call(route: Route, request: StageRequest = {}): Promise<StageAnswer> {
    const spared = await spare(route);
    const named = { ...spared, ...request.ids };
    // The demo's own endpoint stays for the other tests, in whichever letters its id is written.
    const demos: Record<string, string> = await ids();
    const isDemos = named.endpoint_id?.toLowerCase() === demos.endpoint_id;
    if (spared.endpoint_id && isDemos) named.endpoint_id = spared.endpoint_id.toUpperCase();
    const answer = await send(route, { ...request, ids: named });
    await makeRoom(spared, route, answer);
    return answer;
  }

  async function send(route: Route, request: StageRequest = {}): Promise<StageAnswer> {
    const known: Record<string, string> = {
      kind: "customers",
      ...(await ids()),
      ...request.ids,
    };
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known[name] ?? ""));
    const { authorization = keyFor(route), search = "", contentType } = request;
    const body = request.body === undefined ? sampleBody(route) : (request.body ?? undefined);
    const response = await fetch(stage().description.base_url + path + search, {
      method: request.method ?? route.method,
      headers: {
        ...request.headers,
        ...(authorization !== null && { Authorization: authorization }),
        ...(body !== undefined && { "Content-Type": contentType ?? "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text ? JSON.parse(text) : {} };
  }

  return { call, data: () => served.data, keyFor, stage, ids };
}

/** The error record without what the local stage adds. */
export const errorOf = ({ json: { stack, ...error } }: StageAnswer) => error;
