/** For credential pairs of tests that do not check the journal. */
export const revoking = async (): Promise<void> => undefined;
