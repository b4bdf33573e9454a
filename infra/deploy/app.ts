import { requireDeployed } from "../stages/requireDeployed.ts";
import { synthesize } from "./synthesize.ts";

// What the CDK's program runs (cdk.json): synthesizes the stage that STAGE names, for the account and region of the
// credentials in use, to where the program wants it. `npm run bootstrap` and `diff` are the way to it.
const { STAGE, ACCOUNT_CONCURRENCY, CDK_OUTDIR, CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
const env = {
  ...(CDK_DEFAULT_ACCOUNT && { account: CDK_DEFAULT_ACCOUNT }),
  ...(CDK_DEFAULT_REGION && { region: CDK_DEFAULT_REGION }),
};
const stage = requireDeployed(STAGE, "the environment variable STAGE");
await synthesize(stage, CDK_OUTDIR ?? "cdk.out", env, {
  ...(ACCOUNT_CONCURRENCY && { accountConcurrency: Number(ACCOUNT_CONCURRENCY) }),
});
