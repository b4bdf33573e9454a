import { App } from "aws-cdk-lib";
import { PipelineStack } from "./pipelineStack.ts";
import { requirePipelineStage } from "./pipelineStages.ts";

// The app that `npm run pipeline` deploys, which names the stage and the repository.
const { STAGE, PIPELINE_REPOSITORY: repository = "", PIPELINE_HAS_PROVIDER, CDK_OUTDIR } = process.env;
const app = new App({ analyticsReporting: false, ...(CDK_OUTDIR && { outdir: CDK_OUTDIR }) });
const stage = requirePipelineStage(STAGE, "the environment variable STAGE");
new PipelineStack(app, "Pipeline", { stage, repository, hasProvider: PIPELINE_HAS_PROVIDER === "true" });
app.synth();
