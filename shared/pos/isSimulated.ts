/** Whether this stage simulates its POS systems, as the sandbox and the local stage do. */
export const isSimulated = (): boolean => process.env.POS_CONNECTORS === "sandbox" && process.env.STAGE !== "prod";
