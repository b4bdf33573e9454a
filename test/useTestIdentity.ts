import { beforeAll } from "vitest";
import { bucketName } from "../infra/local/environment.ts";
import { useServer } from "./useServer.ts";

/** The person whom STS confirms to a test file. */
export interface TestIdentity {
  arn: string;
  /** The HTTP status of STS: 403 stands for an expired session. */
  status: number;
}

/**
 * Starts an STS that confirms an identity, for the operator's program on a stage on AWS. The access log is in the test file's
 * bucket (`useTestBucket`).
 */
export function useTestIdentity(): TestIdentity {
  const identity = { arn: "arn:aws:sts::123456789012:assumed-role/Operator/dana", status: 200 };
  const url = useServer((request, response) => {
    request.resume();
    response.writeHead(identity.status, { "Content-Type": "text/xml" });
    response.end(
      identity.status === 200
        ? `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${identity.arn}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`
        : "<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredToken</Code><Message>expired</Message></Error></ErrorResponse>",
    );
  });
  beforeAll(() => {
    Object.assign(process.env, { AWS_ENDPOINT_URL_STS: url(), ACCESS_LOG_BUCKET: bucketName });
  });
  return identity;
}
