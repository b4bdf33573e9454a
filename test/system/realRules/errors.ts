import {
  type DynamoDBServiceException,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import type { Dice } from "../../../shared/pos/sandbox/dice.ts";

const $metadata = {};

/** @param codes of the transaction's items, in their order */
export function canceled(codes: readonly string[]): TransactionCanceledException {
  const list = codes.join(", ");
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${list}]`,
    CancellationReasons: codes.map((Code) => ({ Code })),
    $metadata,
  });
}

export function conflict(): TransactionConflictException {
  return new TransactionConflictException({ message: "Transaction is ongoing for the item", $metadata });
}

/** As on-demand and provisioned tables report it. */
export function throttled(chance: Dice): DynamoDBServiceException {
  const message = "The level of configured provisioned throughput for the table was exceeded";
  return chance.percent(50)
    ? new ProvisionedThroughputExceededException({ message, $metadata })
    : new ThrottlingException({ message, $metadata });
}

/** The SDK's error for a missing response, whatever happened to the request. */
export function createLostResponseError(chance: Dice): Error {
  return chance.percent(50)
    ? Object.assign(new Error("the request took too long"), { name: "TimeoutError" })
    : Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
}
