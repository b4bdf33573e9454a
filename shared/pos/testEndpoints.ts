/** The variables with the addresses of test endpoints. They replace a POS on every stage except prod. */
export const testEndpointVariables = {
  alleaves: "POS_ALLEAVES_URL",
  blaze: "POS_BLAZE_URL",
  canix: "POS_CANIX_URL",
  cova: "POS_COVA_URL",
  dutchie: "POS_DUTCHIE_URL",
  flourish: "POS_FLOURISH_URL",
  flowhub: "POS_FLOWHUB_URL",
  intacct: "POS_INTACCT_URL",
  meadow: "POS_MEADOW_URL",
  posabit: "POS_POSABIT_URL",
  treez: "POS_TREEZ_URL",
} as const;
export type TestEndpointVariable = (typeof testEndpointVariables)[keyof typeof testEndpointVariables];

/** The environment variable with the address of a test endpoint that replaces Metrc in all states. */
export const metrcTestEndpointVariable = "POS_METRC_URL";

/** The options of requests to a test endpoint. It serves no other users, so requests need no pauses. */
export const unpaced = { requestsPerSecond: Number.POSITIVE_INFINITY, firstPauseMs: 20 };
