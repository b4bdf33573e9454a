import type { Server } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { close, listen } from "../../infra/local/listen.ts";
import { mockCases } from "../api/mockCases.ts";
import { Deployment } from "./deployment.ts";
import { createDeployedGateway } from "./gateway.ts";
import { synthesized } from "./template.ts";

// The mock stage as API Gateway would serve its template: no function, no table.

let gateway: Server;
let baseUrl: string;
beforeAll(async () => {
  const invoke = () => Promise.reject(new Error("the mock has no function"));
  gateway = createDeployedGateway(new Deployment(await synthesized("mock")), invoke);
  baseUrl = `http://127.0.0.1:${await listen(gateway, 0)}`;
});
afterAll(() => close(gateway));

mockCases(() => baseUrl);
