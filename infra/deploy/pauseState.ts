import {
  type EventSourceMappingConfiguration,
  LambdaClient,
  paginateListEventSourceMappings,
} from "@aws-sdk/client-lambda";
import type { StageName } from "../stages/stages.ts";
import { describeFunctions, handlerOf } from "./deployedFunctions.ts";

/** `partly`: a pause or a resumption was interrupted, or a person disabled single event source mappings. */
export type PauseState = "running" | "paused" | "partly";

/** What a pause stops: the functions of a stage, and the mappings by which queues invoke them. */
export interface Stoppable {
  /** Names of functions, each with the path of its handler. */
  functions: Map<string, string>;
  mappings: EventSourceMappingConfiguration[];
}

/** Finds the functions of a stage, including those of earlier releases, and their event source mappings. */
export async function findStoppable(client: LambdaClient, stage: StageName): Promise<Stoppable> {
  const described = await describeFunctions(client, stage);
  const functions = new Map([...described].map(([name, description]) => [name, handlerOf(description)]));
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
 */
export async function readPauseState(stage: StageName, region: string): Promise<PauseState> {
  const { mappings } = await findStoppable(new LambdaClient({ region }), stage);
  if (!mappings.some(isDisabled)) return "running";
  return mappings.every(isDisabled) ? "paused" : "partly";
}
