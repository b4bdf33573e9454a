import { App } from "aws-cdk-lib";
import { PipelineStack } from "./pipelineStack.ts";
import { requirePipelineStage } from "./pipelineStages.ts";

// `npm run pipeline` deploys this app, with the stage and the repository in environment variables.
const { STAGE, PIPELINE_REPOSITORY: repository = "", PIPELINE_HAS_PROVIDER, CDK_OUTDIR } = process.env;
const app = new App({ analyticsReporting: false, ...(CDK_OUTDIR && { outdir: CDK_OUTDIR }) });
const stage = requirePipelineStage(STAGE, "the environment variable STAGE");
new PipelineStack(app, "Pipeline", { stage, repository, hasProvider: PIPELINE_HAS_PROVIDER === "true" });
app.synth();
