import { App } from "aws-cdk-lib";
import { requireDeployed } from "../../stages/requireDeployed.ts";
import { BoundaryStack } from "./boundaryStack.ts";

// `npm run bootstrap` deploys this app first.
const { STAGE, CDK_OUTDIR } = process.env;
const app = new App({ analyticsReporting: false, ...(CDK_OUTDIR && { outdir: CDK_OUTDIR }) });
new BoundaryStack(app, "Boundary", requireDeployed(STAGE, "the environment variable STAGE"));
app.synth();
