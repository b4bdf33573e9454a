/** The company that runs the stage, as users see it. */
export interface Operator {
  name: string;
  /** The `https` address of its privacy notice. */
  privacyUrl: string;
}

/** Reads the operator from OPERATOR_NAME and PRIVACY_URL. */
export const stageOperator = (): Operator => ({
  name: process.env.OPERATOR_NAME ?? "",
  privacyUrl: process.env.PRIVACY_URL ?? "",
});
