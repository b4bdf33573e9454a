import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, inject, vi } from "vitest";
import { bucketName, engineAccess } from "../../../../infra/local/environment.ts";
import { createObjectStore } from "../../../../infra/local/objectStore/objectStore.ts";
import { type Bucket, bucketOf } from "../../../../shared/domain/documents/bucket.ts";

const session = { accessKeyId: "ASIASESSION", secretAccessKey: "of the session" };

/** An object store, and an STS that creates sessions for it. */
export interface Sessions {
  /** The bucket with the service's own credentials. */
  service: Bucket;
  /** The requests to STS. */
  requests: URLSearchParams[];
  /** The status of STS responses. */
  status: number;
}

/**
 * Signs this test file's links with sessions of a role. Sessions reach the store at another address than the service.
 */
export function useSessions(roleVariable: string, role: string): Sessions {
  const sessions = { requests: [], status: 200 } as Partial<Sessions> as Sessions;
  let servers: Server[];
  const urlOf = (index: number) => `http://127.0.0.1:${((servers[index] as Server).address() as AddressInfo).port}`;

  beforeAll(async () => {
    const directory = mkdtempSync(join(inject("temporaryDirectory"), "links-"));
    const store = (credentials: { accessKeyId: string; secretAccessKey: string }) =>
      createObjectStore({ bucket: bucketName, directory, access: { region: engineAccess.region, credentials } });
    const sts = createServer(async (request, response) => {
      sessions.requests.push(new URLSearchParams(await text(request)));
      const credentials = `<AccessKeyId>${session.accessKeyId}</AccessKeyId><SecretAccessKey>${session.secretAccessKey}</SecretAccessKey>
        <SessionToken>token+/=</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration>`;
      const result = `<AssumeRoleResult><Credentials>${credentials}</Credentials></AssumeRoleResult>`;
      const error = "<Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate exceeded</Message></Error>";
      response.writeHead(sessions.status, { "Content-Type": "text/xml" });
      response.end(
        sessions.status === 200
          ? `<AssumeRoleResponse>${result}</AssumeRoleResponse>`
          : `<ErrorResponse>${error}</ErrorResponse>`,
      );
    });
    servers = [store(engineAccess.credentials), store(session), sts];
    for (const server of servers) await once(server.listen(0, "127.0.0.1"), "listening");
    sessions.service = bucketOf(bucketName, { endpoint: urlOf(0), ...engineAccess });
  });

  beforeEach(() => {
    sessions.requests = [];
    sessions.status = 200;
    // The pauses between attempts take seconds.
    vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
    vi.stubEnv("AWS_REGION", engineAccess.region);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
    vi.stubEnv("AWS_ENDPOINT_URL_S3", urlOf(1));
    vi.stubEnv("AWS_ENDPOINT_URL_STS", urlOf(2));
    vi.stubEnv(roleVariable, role);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  afterAll(() => {
    sessions.service.client.destroy();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  return sessions;
}
