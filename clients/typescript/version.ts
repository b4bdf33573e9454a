/** The version of the package. */
export const version = "1.0.0";
