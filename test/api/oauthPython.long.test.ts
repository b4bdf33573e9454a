import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { pythonPackages } from "../pythonPackages.ts";
import { useStage } from "./useStage.ts";

// Tests the same as oauth.test.ts with a Python library from the package registry.

const { stage } = useStage();
const allScopes = ["service-provider:read", "service-provider:write", "point-of-sale:read", "create-crb-api-key:write"];

test("requests-oauthlib gets tokens by every method that it supports, uses them and parses the errors", async ({
  skip,
}) => {
  const { directory, missing } = await pythonPackages();
  skip(missing !== undefined, missing);
  const { base_url, service_provider } = stage().description;
  const { stdout } = await promisify(execFile)("python3", [`${import.meta.dirname}/oauthClient.py`], {
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: directory,
      PYTHONDONTWRITEBYTECODE: "1",
      BASE_URL: base_url,
      CLIENT_ID: service_provider.client_id,
      CLIENT_SECRET: service_provider.client_secret,
      READ_PATH: `/service-providers/${service_provider.sp_id}`,
    },
  });
  const some = { scope: ["service-provider:read", "point-of-sale:read"], expires_in: 3600, read: 200 };
  expect(JSON.parse(stdout)).toEqual({
    "in the header": some,
    "in the header, by requests": some,
    "in the form": some,
    "without scopes": { ...some, scope: allScopes },
    "wrong secret in the header": {
      error: "invalid_client",
      description: "A valid credential is needed in the Authorization header.",
    },
    "wrong secret in the form": {
      error: "invalid_client",
      description: "A valid client_id and client_secret are needed.",
    },
    "unknown scope": { error: "invalid_scope", description: expect.stringContaining("scope must be words") },
    "scope not held": { error: "invalid_scope", description: "The credential does not hold the scope crb:read." },
  });
});
