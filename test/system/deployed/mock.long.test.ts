import type { Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { close, listen } from "../../../infra/local/listen.ts";
import { mockCases } from "../../api/mockCases.ts";
import { Deployment } from "./deployment.ts";
import { Functions } from "./functions.ts";
import { createDeployedGateway } from "./gateway.ts";
import { Principals } from "./principals.ts";
import { synthesized } from "./template.ts";

// The mock stage as API Gateway would serve its template: without a table, with no functions except those of the
// pages.

let functions: Functions;
let gateway: Server;
let baseUrl: string;
beforeAll(async () => {
  const deployment = new Deployment(await synthesized("mock"));
  const log = join(inject("temporaryDirectory"), "mock.log");
  functions = new Functions(deployment, new Principals(), {}, log, {});
  gateway = createDeployedGateway(deployment, (...call) => functions.invoke(...call));
  baseUrl = `http://127.0.0.1:${await listen(gateway, 0)}`;
});
afterAll(async () => {
  await close(gateway);
  await functions.stop();
});

mockCases(() => baseUrl);
