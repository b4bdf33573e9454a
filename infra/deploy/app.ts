import { requireDeployed } from "../stages/requireDeployed.ts";
import { synthesize } from "./synthesize.ts";

// The CDK runs this app (cdk.json), started by `npm run bootstrap` or `diff`. It synthesizes the stage in STAGE for the
// account and region of the credentials.
const { STAGE, ACCOUNT_CONCURRENCY, CDK_OUTDIR, CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
const env = {
  ...(CDK_DEFAULT_ACCOUNT && { account: CDK_DEFAULT_ACCOUNT }),
  ...(CDK_DEFAULT_REGION && { region: CDK_DEFAULT_REGION }),
};
const stage = requireDeployed(STAGE, "the environment variable STAGE");
await synthesize(stage, CDK_OUTDIR ?? "cdk.out", env, {
  ...(ACCOUNT_CONCURRENCY && { accountConcurrency: Number(ACCOUNT_CONCURRENCY) }),
});
