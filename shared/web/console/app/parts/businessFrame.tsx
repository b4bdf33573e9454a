import type { ComponentChildren } from "preact";
import { Choice } from "../../../browser/parts.tsx";
import { formatAge } from "../format.ts";
import type { Output } from "../operations.ts";
import { type Business, useOverview, useRead } from "../session.tsx";
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

/** The head of a business, the links to its parts and to the businesses around it, and one part. */
export function BusinessFrame({ crbId, part, children }: FrameProps) {
  const rows = useOverview().data?.data ?? [];
  const index = rows.findIndex(({ crb_id }) => crb_id === crbId);
  const row = rows[index];
  const read = useRead("getCrbInfo", { path: { crb_id: crbId } });
  const around = (direction: string, { crb_id, name }: Business) => (
    <a href={`#/businesses/${crb_id}${part}`}>
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
                  {row.data.data_as_of && ` · read ${formatAge(row.data.data_as_of)}`}
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
