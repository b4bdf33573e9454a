import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Choice } from "../../../browser/parts.tsx";
import { addressOf, pathIn } from "../findScreen.ts";
import { formatTime } from "../format.ts";
import type { Output } from "../operations.ts";
import { chooseBusinesses, firstChoice, isOld } from "../overview.ts";
import { type Business, useOverview, useRead } from "../session.tsx";
import { drafts } from "../storage.ts";
import { crbState, dataState } from "../texts.ts";
import { Count, Head, Loaded } from "./layout.tsx";
import { State } from "./marks.tsx";

/** The parts of a business, by the end of their address; with the number of what waits there. */
const parts: Readonly<Record<string, readonly [title: string, waiting?: "open_insights" | "documents_to_review"]>> = {
  "": ["Sales and deposits"],
  "/sales": ["Rule breaks"],
  "/licenses": ["Licenses"],
  "/data": ["Data and activity"],
  "/insights": ["Insights", "open_insights"],
  "/documents": ["Documents", "documents_to_review"],
};

interface FrameProps {
  crbId: string;
  /** The end of the part's address. */
  part: string;
  children(info: Output<"getCrbInfo">): ComponentChildren;
}

/** The path and the query of the address. */
const partsOfAddress = () => pathIn(location.hash).split("?");

/** When the figures of a business were right, if they are old; behind other words. */
export function OldFigures({ of }: { of: Business }) {
  return isOld(of) && [" ", <State key="as of" of={["look", `Figures of ${formatTime(of.as_of ?? "")}`]} />];
}

/** All businesses as the portfolio shows them, if it shows this one. */
function useListed(crbId: string): readonly Business[] {
  const { data } = useOverview();
  return useMemo(() => {
    const rows = data?.data ?? [];
    const listed = chooseBusinesses(rows, drafts.read("businesses", firstChoice));
    return listed.some(({ crb_id }) => crb_id === crbId) ? listed : chooseBusinesses(rows, firstChoice);
  }, [data, crbId]);
}

/** The head of a business, the links to its parts and to the businesses around it, and one part. */
export function BusinessFrame({ crbId, part, children }: FrameProps) {
  const rows = useListed(crbId);
  const index = rows.findIndex(({ crb_id }) => crb_id === crbId);
  const row = rows[index];
  const status = new URLSearchParams(partsOfAddress()[1]).get("status") ?? "";
  const read = useRead("getCrbInfo", { path: { crb_id: crbId } });
  const around = (direction: string, { crb_id, name }: Business) => (
    <a href={addressOf(`/businesses/${crb_id}${part}`, { status })}>
      {direction}: {name}
    </a>
  );
  return (
    <>
      <nav class="crumbs" aria-label="Path">
        <span>
          <a href="#/">Portfolio</a> / {row?.name ?? "Business"}
        </span>
        {row && rows[index - 1] && around("Previous", rows[index - 1] as Business)}
        {row && rows[index + 1] && around("Next", rows[index + 1] as Business)}
      </nav>
      <Head title={read.data?.name ?? row?.name ?? "Business"} about={parts[part]?.[0]} />
      <Loaded of={read} name="The business">
        {(info) => (
          <>
            <ul class="list facts">
              <li>{[info.city, info.state].filter(Boolean).join(", ")}</li>
              {info.business_type && <li>{info.business_type}</li>}
              <li>point of sale: {info.pos_configs[0]?.name ?? "none"}</li>
              <li>{crbState(info.status)[1]}</li>
              {row?.data && (
                <li>
                  <State of={dataState(row.data.state)} />
                  {row.data.data_as_of && ` · sales as of ${formatTime(row.data.data_as_of)}`}
                  <OldFigures of={row} />
                </li>
              )}
            </ul>
            <nav aria-label={info.name}>
              <ul class="steps">
                {Object.entries(parts).map(([end, [words, waiting]]) => (
                  <li key={end}>
                    <a href={`#/businesses/${crbId}${end}`} aria-current={end === part ? "page" : undefined}>
                      {words}
                      <Count of={waiting && row?.[waiting]} />
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            {children(info)}
          </>
        )}
      </Loaded>
    </>
  );
}

interface ChoiceProps {
  /** The `crb_id` of the chosen business; empty if none is chosen. */
  value?: string;
  changed?(crbId: string): void;
  /** The words for no business. */
  none?: string;
}

/**
 * The business that the address of a screen names, and the function that lets it name another one. So a reload, the way back, a
 * link and another sign-in keep the choice.
 *
 * @param query that of the screen
 */
export const businessIn = (query: URLSearchParams): readonly [crbId: string, choose: (crbId: string) => void] => [
  query.get("crb_id") ?? "",
  (crb_id) => {
    location.hash = addressOf(partsOfAddress()[0] ?? "", { crb_id });
  },
];

/** The choice of one business of the institution, by name. */
export function BusinessChoice({ none = "Choose a business", ...choice }: ChoiceProps) {
  const list = useOverview();
  return (
    <Loaded of={list} name="The list of businesses">
      {({ data }) => <Choice name="crb_id" label="Business" options={[["", none], ...optionsOf(data)]} {...choice} />}
    </Loaded>
  );
}

/** Businesses by name, as options. */
export const optionsOf = (businesses: readonly Business[]) =>
  businesses
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ crb_id, name, state }) => [crb_id, `${name}, ${state}`] as const);
