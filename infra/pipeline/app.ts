import { App } from "aws-cdk-lib";
import { PipelineStack } from "./pipelineStack.ts";

// What the CDK's program runs for `npm run pipeline`, which names the repository.
const { PIPELINE_REPOSITORY: repository = "", PIPELINE_HAS_PROVIDER, CDK_OUTDIR } = process.env;
const app = new App({ analyticsReporting: false, ...(CDK_OUTDIR && { outdir: CDK_OUTDIR }) });
new PipelineStack(app, "Pipeline", { repository, hasProvider: PIPELINE_HAS_PROVIDER === "true" });
app.synth();
