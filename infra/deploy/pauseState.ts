import {
  type EventSourceMappingConfiguration,
  LambdaClient,
  paginateListEventSourceMappings,
} from "@aws-sdk/client-lambda";
import type { StageName } from "../stages/stages.ts";
import { stageFunctions } from "./deployedFunctions.ts";

/** `partly`: a pause or a resumption was interrupted, or a person disabled single event source mappings. */
export type PauseState = "running" | "paused" | "partly";

/** What a pause stops: the functions of a stage, and the mappings by which queues invoke them. */
export interface Stoppable {
  /** Names of functions, each with the path of its handler. */
  functions: Map<string, string>;
  mappings: EventSourceMappingConfiguration[];
}

/**
 * Finds the functions of a stage, including those of earlier releases, and their event source mappings.
 *
 * @throws Error when AWS rejects a call
 */
export async function findStoppable(client: LambdaClient, stage: StageName): Promise<Stoppable> {
  const functions = new Map<string, string>();
  for await (const { FunctionName, Description = "" } of stageFunctions(client, stage)) {
    functions.set(FunctionName, Description.replace(/^functions\/|\.ts$/g, ""));
  }
  const mappings: EventSourceMappingConfiguration[] = [];
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings({ client }, {})) {
    mappings.push(
      ...EventSourceMappings.filter(({ FunctionArn = "" }) => functions.has(FunctionArn.split(":")[6] ?? "")),
    );
  }
  return { functions, mappings };
}

/** Whether a mapping is disabled, or is being disabled. */
export const isDisabled = ({ State }: EventSourceMappingConfiguration): boolean => /^Disabl/.test(State ?? "");

/**
 * Reads whether a stage is paused: all its event source mappings are disabled. A pause disables them first, and a
 * resumption enables them last.
 *
 * @throws Error when AWS rejects a call
 */
export async function readPauseState(stage: StageName, region: string): Promise<PauseState> {
  const client = new LambdaClient({ region });
  try {
    const { mappings } = await findStoppable(client, stage);
    if (!mappings.some(isDisabled)) return "running";
    return mappings.every(isDisabled) ? "paused" : "partly";
  } finally {
    client.destroy();
  }
}
