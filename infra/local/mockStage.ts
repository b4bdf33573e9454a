import { invalid, toErrorResponse } from "../../shared/api/errors.ts";
import { contentTypes } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { respond } from "../../shared/http/handlerResult.ts";
import { headerOf } from "../../shared/http/headers.ts";
import { createMockResponses } from "../../shared/http/mockResponses.ts";
import { formatOf } from "../../shared/http/received.ts";
import { generatePageFiles } from "../codegen/pageFiles.ts";
import { settingsEnvironment, stages } from "../stages/stages.ts";
import { FunctionHost } from "./functionHost.ts";
import { close, listen } from "./listen.ts";
import { requestLimiter } from "./requestLimiter.ts";
import { createGateway, type Gateway } from "./server.ts";

interface MockStage {
  baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts a server that answers every operation with its example (docs/spec.md#mock-stage), without engine and data. The
 * pages about the API are the same as on other stages.
 *
 * @param options.limits whether the stage answers 429 above the limits that the mock stage has on AWS
 * @throws StageError if the port cannot be used
 */
export async function startMockStage(options: {
  port: number;
  limits?: boolean;
  report?: Gateway["report"];
}): Promise<MockStage> {
  await generatePageFiles();
  const { allowedOrigins } = stages.mock;
  const pages = new FunctionHost(settingsEnvironment("mock"), process.stderr);
  const server = createGateway({
    operationRegistry,
    allowedOrigins,
    invoke: async (file, event, requestId) => {
      const operation = operationRegistry.find(({ handler }) => handler === file);
      if (!operation) return pages.invoke(file, event, requestId);
      const format = formatOf(operation, event);
      // API Gateway checks the content type before the credential, for every method.
      const badType = { body: { message: `must be sent as ${contentTypes.json}` } };
      if (!format) return respond(event, toErrorResponse(invalid(badType)), allowedOrigins);
      const { success, rejection } = createMockResponses(operation, format);
      return respond(event, headerOf(event, "authorization")?.trim() ? success : rejection, allowedOrigins);
    },
    ...(options.limits && { admit: requestLimiter(stages.mock.aws) }),
    isReady: () => true,
    report: (line) => options.report?.(line),
  });
  const baseUrl = `http://127.0.0.1:${await listen(server, options.port)}`;
  return {
    baseUrl,
    stop: async () => {
      await close(server);
      await pages.stop();
    },
  };
}
