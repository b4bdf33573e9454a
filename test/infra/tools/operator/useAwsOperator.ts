import { beforeEach, vi } from "vitest";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestIdentity } from "../../../useTestIdentity.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { operatorOn } from "./operatorOn.ts";

/** A table and a bucket for all tests of a file, and the operator's program as on a stage on AWS that has them. */
export function useAwsOperator() {
  const table = useTestTable();
  useTestBucket();
  useTestIdentity();
  beforeEach(() => void vi.stubEnv("STAGE", "sandbox").stubEnv("FORCE_COLOR", undefined));
  return { table, ...operatorOn("--stage", "sandbox") };
}
