import type { Operation } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import type { StageSettings } from "./stages.ts";

/** The operations of a stage. Only stages with simulated POS systems have the operations that control them. */
export const stageOperations = (
  { posConnectors }: Pick<StageSettings, "posConnectors">,
  operations: readonly Operation[] = operationRegistry,
): Operation[] => operations.filter(({ onlySimulated }) => !onlySimulated || posConnectors === "sandbox");
