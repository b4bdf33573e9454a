import { useRead } from "./useRead.ts";

/** The names of the institution's businesses, by id. Until they are read, and beyond 1,000, the id stands for the name. */
export function useBusinessNames(): (crbId: string) => string {
  const { data } = useRead("getOverview", { query: { limit: 1000 } });
  return (crbId) => data?.data.find(({ crb_id }) => crb_id === crbId)?.name ?? crbId;
}
