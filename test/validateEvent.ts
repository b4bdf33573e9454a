import type { Operation } from "../shared/api/operation.ts";
import { type Routed, receive } from "../shared/http/received.ts";
import { validate } from "../shared/http/validation.ts";

/** Validates the gateway's event of a request, as the chain of an operation does. */
export const validateEvent = (operation: Operation, event: Routed) =>
  validate(operation, event.route, receive(operation, event));
