import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Output } from "./operations.ts";
import type { Read } from "./useRead.ts";

export type Business = Output<"getOverview">["data"][number];

/** The overview, which all screens share. It has at most 1,000 businesses. */
export const OverviewContext = createContext<Read<Output<"getOverview">>>({ isLoading: true, reload: () => {} });

export const useOverview = () => useContext(OverviewContext);

/** The names of the institution's businesses, by id. Until they are read, and beyond 1,000, the id stands for the name. */
export function useBusinessNames(): (crbId: string) => string {
  const { data } = useOverview();
  return (crbId) => data?.data.find(({ crb_id }) => crb_id === crbId)?.name ?? crbId;
}
