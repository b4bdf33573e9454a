/** For pairs that are issued where no journal is looked at. */
export const revoking = async (): Promise<void> => undefined;
