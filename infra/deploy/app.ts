import { requireDeployed } from "../stages/requireDeployed.ts";
import { synthesize } from "./synthesize.ts";

// The CDK runs this app (cdk.json), started by `npm run bootstrap` or `diff`. It synthesizes the stage in STAGE.
const { STAGE, CDK_OUTDIR } = process.env;
await synthesize(requireDeployed(STAGE, "the environment variable STAGE"), CDK_OUTDIR ?? "cdk.out");
