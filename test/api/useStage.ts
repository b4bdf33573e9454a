import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { demoShortName } from "../../infra/local/demoIdentityProvider.ts";
import { demoMetrcAccess } from "../../infra/local/metrc/demoMetrcAccess.ts";
import { firstRecordIds } from "../../infra/local/sampleEvent.ts";
import { type Stage, startStage } from "../../infra/local/stage.ts";
import type { Route } from "../../shared/api/operation.ts";
import { exampleIds } from "../../shared/api/operations/examples.ts";
import { changeCrb } from "../../shared/store/crbs.ts";
import { copyDemoData } from "../demoData.ts";
import { routes } from "../functions/callHandler.ts";

export { routes };

/** Routes that need a credential. The token exchange has its own tests. */
export const guardedRoutes = routes.filter(({ caller }) => caller !== "anyone" && caller !== "nobody");

/** The route of an operation. */
export const routeOf = (operationId: string) =>
  routes.find((each) => each.operationId === operationId) ?? expect.fail(`no ${operationId}`);

/** The body of a route's sample event, if it has one. */
function sampleBody({ operationId }: Route): string | undefined {
  const file = new URL(`../../events/${operationId}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).body ?? undefined;
}

/** The path parameters that are not ids. */
const notIds = { kind: "customers", action: "sell", date: "2026-03-01", short_name: demoShortName };

/** One request of a test. Values of the demo take the place of absent fields. */
export interface StageRequest {
  /** The route's method if absent. */
  method?: "HEAD" | "OPTIONS";
  authorization?: string | null;
  /** Additional headers. */
  headers?: Record<string, string>;
  ids?: Record<string, string>;
  search?: string;
  /** The sample event's body if absent. */
  body?: string | null;
  contentType?: string;
}

export interface StageAnswer {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

/** A running stage and its data directory, which began with the demo's data. */
export interface Served {
  stage: Stage;
  data: string;
  /** Stops the stage. */
  end: () => Promise<void>;
}

/** Creates a directory with the demo's data. */
export async function demoDirectory(): Promise<string> {
  const data = mkdtempSync(join(inject("temporaryDirectory"), "stage-"));
  await copyDemoData(data);
  return data;
}

let serve = async (demoAlone: boolean): Promise<Served> => {
  const data = await demoDirectory();
  const stage = await startStage({ port: 0, data, replicateEvery: 0, demoAlone });
  return { stage, data, end: () => stage.stop() };
};

/** From now on, `useStage` starts its stages by this function. */
export function serveBy(other: typeof serve): void {
  serve = other;
}

/**
 * Starts a stage for the test file, a local one unless `serveBy` has set another, and returns calls by route.
 * @param options.demoAlone the local stage replicates nothing but the demo, for tests that connect many businesses and read
 * none
 */
export function useStage({ demoAlone = false }: { demoAlone?: boolean } = {}) {
  let served: Served;
  const stage = () => served.stage;

  beforeAll(async () => {
    served = await serve(demoAlone);
  });
  afterAll(() => served?.end());

  /** The demo service provider's id, the id of its first CRB, and the id of one record of each kind of that CRB. */
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

  /** The ids of a requirement and a new document of the demo's business without a POS, whose user is invited. */
  async function invitedIds(): Promise<Record<string, string>> {
    const { requirement_id = "" } = await firstRecordIds(stage().table, stage().description.invitation.crb_id);
    const { json } = await send(routeOf("addOnboardingDocument"), { ids: { requirement_id } });
    return { requirement_id, document_id: String(json.document_id) };
  }
  let foundInvited: ReturnType<typeof invitedIds> | undefined;
  const idsFor = ({ caller }: Pick<Route, "caller">): Promise<Record<string, string>> => {
    if (caller !== "invitedUser") return ids();
    foundInvited ??= invitedIds();
    return foundInvited;
  };

  /** Brings the invited user's onboarding to the state that an operation needs. */
  async function prepare({ operationId }: Route): Promise<void> {
    if (operationId !== "connectOnboardingPos" && operationId !== "submitOnboarding") return;
    const given = await send(routeOf("giveConsent"));
    if (given.status !== 200) throw new Error(given.text);
    if (operationId === "connectOnboardingPos") return;
    const { crb_id } = stage().description.invitation;
    await send(routeOf("connectOnboardingPos"));
    const { missing } = (await send(routeOf("getOnboarding"))).json as { missing: { requirement_id?: string }[] };
    for (const { requirement_id = "" } of missing) {
      await send(routeOf("addOnboardingDocument"), { ids: { requirement_id } });
    }
    await changeCrb(stage().table, crb_id, (crb) => ({ ...crb, record: { ...crb.record, status: "svc_in_progress" } }));
  }

  /** The demo's credential for a route. */
  const keyFor = ({ caller }: Route): string => {
    const { service_provider, crbs, invitation } = stage().description;
    if (caller === "invitedUser") return invitation.invitation_token;
    return caller === "crb" ? (crbs[0]?.client_secret ?? "") : service_provider.client_secret;
  };

  /** Brings the demo's license to the state that an operation on its connection to Metrc needs. */
  async function connectable(route: Route): Promise<Record<string, string>> {
    const { licenseNumber: license_number } = demoMetrcAccess;
    const isInvited = route.caller === "invitedUser";
    if (isInvited) {
      await send(routeOf("giveConsent"));
      const body = JSON.stringify({ license_numbers: [license_number] });
      await send(routeOf("linkOnboardingLicenses"), { body });
    } else await send(routeOf("linkCrbLicense"), { ids: await ids() });
    const of = isInvited ? "OnboardingStateConnection" : "CrbStateConnection";
    const request = { ids: { ...(await idsFor(route)), license_number } };
    const isThere = (await send(routeOf(`get${of}`), request)).status === 200;
    if (route.method !== "PUT" && !isThere) await send(routeOf(`set${of}`), request);
    return { license_number };
  }

  /** A document, linked license, deposit, cash count or webhook endpoint for a call that deletes or changes it. */
  async function spare(route: Route): Promise<Record<string, string>> {
    if (route.path.includes("{endpoint_id}")) {
      if (route.method === "GET") return {};
      return { endpoint_id: String((await send(routeOf("createWebhookEndpoint"), { ids: await ids() })).json.id) };
    }
    if (route.operationId === "deleteDeposit") {
      await send(routeOf("storeDeposits"), { ids: await ids() });
      return { deposit_id: exampleIds.deposit };
    }
    if (route.operationId === "deleteCashCount") {
      await send(routeOf("setCashCount"), { ids: { ...(await ids()), date: notIds.date } });
      return { date: notIds.date };
    }
    if (route.operationId === "deleteIdentityProvider")
      await send(routeOf("setIdentityProvider"), { ids: await ids() });
    if (route.operationId === "unlinkCrbLicense") await send(routeOf("linkCrbLicense"), { ids: await ids() });
    if (route.path.includes("{license_number}")) return connectable(route);
    if (route.operationId === "unlinkOnboardingLicense") {
      const body = JSON.stringify({ license_numbers: ["CO-R-10168"] });
      const { licenses } = (await send(routeOf("linkOnboardingLicenses"), { body })).json as {
        licenses: { id: string }[];
      };
      return { license_id: String(licenses[0]?.id) };
    }
    if (!/^delete.*Document$/.test(route.operationId)) return {};
    const isInvited = route.caller === "invitedUser";
    const adding = routeOf(isInvited ? "addOnboardingDocument" : "addRequirementDocument");
    return (await send(adding, { ids: await idsFor(adding) })).json as { document_id: string };
  }

  /** Deletes the webhook endpoint or export of a call: there may be ten endpoints and five exports. */
  async function makeRoom(
    spared: { endpoint_id?: string },
    route: Route,
    { status, json }: StageAnswer,
  ): Promise<void> {
    if (route.operationId === "createExport" && status === 200) {
      await send(routeOf("deleteExport"), { ids: { ...(await ids()), export_id: String(json.id) } });
    }
    const created = route.operationId === "createWebhookEndpoint" && status === 200 ? String(json.id) : undefined;
    const endpoint_id = created ?? spared.endpoint_id;
    if (endpoint_id) await send(routeOf("deleteWebhookEndpoint"), { ids: { ...(await ids()), endpoint_id } });
  }

  async function call(route: Route, request: StageRequest = {}): Promise<StageAnswer> {
    if (request.authorization?.endsWith(keyFor(route)) ?? request.authorization === undefined) await prepare(route);
    const known = await idsFor(route);
    const spared = await spare(route);
    const named: Record<string, string> = { ...notIds, ...known, ...spared, ...request.ids };
    // Other tests need the demo's own endpoint; its id may be written in upper case.
    const isDemos = known.endpoint_id !== undefined && named.endpoint_id?.toLowerCase() === known.endpoint_id;
    if (spared.endpoint_id && isDemos) named.endpoint_id = spared.endpoint_id.toUpperCase();
    const answer = await send(route, { ...request, ids: named });
    await makeRoom(spared, route, answer);
    return answer;
  }

  /** Sends a request that the service must reject, without the preparation that makes the same call succeed. */
  async function callRejected(route: Route, request: StageRequest = {}): Promise<StageAnswer> {
    return send(route, {
      ...request,
      ids: {
        ...notIds,
        license_id: exampleIds.license,
        license_number: exampleIds.licenseNumber,
        ...(await idsFor(route)),
        ...request.ids,
      },
    });
  }

  /**
   * The body of the sample event, with the current version of the stage's terms. Each created CRB has a name of its own,
   * because a business can be invited only once.
   */
  async function ownSample(route: Route): Promise<string | undefined> {
    const body = sampleBody(route)?.replace("{hour_ago}", new Date(Date.now() - 3_600_000).toISOString());
    if (route.operationId === "createCrb" && body) {
      const { org, ...rest } = JSON.parse(body);
      return JSON.stringify({ ...rest, org: { ...org, name: `${org.name} ${randomUUID()}` } });
    }
    if (!body?.includes("{terms_version}")) return body;
    const { json } = await send(routeOf("getOnboarding"));
    return body.replace("{terms_version}", (json.terms as { version: string }).version);
  }

  async function send(route: Route, request: StageRequest = {}): Promise<StageAnswer> {
    const known = request.ids ?? {};
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known[name] ?? ""));
    const { authorization = keyFor(route), search = "", contentType } = request;
    const body = request.body === undefined ? await ownSample(route) : (request.body ?? undefined);
    const response = await fetch(stage().description.base_url + path + search, {
      method: request.method ?? route.method,
      headers: {
        ...request.headers,
        ...(authorization !== null && route.caller !== "nobody" && { Authorization: authorization }),
        ...(body !== undefined && { "Content-Type": contentType ?? "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text ? JSON.parse(text) : {} };
  }

  return { call, callRejected, data: () => served.data, keyFor, stage, ids, idsFor };
}

/** The error record without the fields that only the local stage adds. */
export function errorOf({ json: { stack, data, ...error } }: StageAnswer): Record<string, unknown> {
  const isAdded = typeof data === "object" && data !== null && "help" in data;
  return { ...error, ...(data !== undefined && !isAdded && { data }) };
}
