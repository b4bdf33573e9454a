import { ServiceError } from "../../../shared/api/errors.ts";
import { StageError } from "../../cli/stageError.ts";

/** Reports the errors of the service, which name the next step, as those of a command. `runProgram` reports an unreachable stage. */
export const asStageError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw error instanceof ServiceError && error.kind !== "unavailable"
      ? new StageError(invalidInputs(error) || error.message)
      : error;
  });

/** The failing inputs of a rejection. */
const invalidInputs = ({ details: { fields = {} } }: ServiceError): string =>
  Object.entries(fields)
    .map(([name, { message }]) => `${name.replace(/^(body|path)\./, "")} ${message}.`)
    .join(" ");
