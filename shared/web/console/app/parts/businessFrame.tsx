import type { ComponentChildren } from "preact";
import { formatAge } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { crbState, dataState } from "../texts.ts";
import { type Read, useRead } from "../useRead.ts";
import { Head } from "./head.tsx";
import { Loaded } from "./loaded.tsx";
import { State } from "./mark.tsx";

/** The parts of a business, by the end of their address. */
const parts = {
  "": "Sales and deposits",
  sales: "Rule breaks",
  licenses: "Licenses",
  data: "Data and activity",
} as const;

interface FrameProps {
  crbId: string;
  part: keyof typeof parts;
  children(business: {
    name: string;
    timezone: string;
    state: string;
    info: Output<"getCrbInfo">;
    replications: Read<Output<"listCrbReplications">>;
  }): ComponentChildren;
}

/** The head of a business, the links to its parts, and one part. */
export function BusinessFrame({ crbId, part, children }: FrameProps) {
  const info = useRead("getCrbInfo", { path: { crb_id: crbId } });
  const replications = useRead("listCrbReplications", { path: { crb_id: crbId } });
  const sales = replications.data?.data.find(({ kind }) => kind === "sales");
  const name = info.data?.name ?? "Business";
  return (
    <>
      <nav class="crumbs" aria-label="Path">
        <a href="#/">Portfolio</a> / {name}
      </nav>
      <Head title={name} about={parts[part]} />
      <Loaded of={info} name="The business">
        {(record) => {
          const {
            city,
            state,
            business_type,
            pos_configs: [pos],
            status,
            timezone,
          } = record;
          return (
            <>
              <ul class="facts-line">
                <li>{[city, state].filter(Boolean).join(", ")}</li>
                {business_type && <li>{business_type}</li>}
                <li>point of sale: {pos?.name ?? "none"}</li>
                <li>{crbState(status)[1]}</li>
                {sales && (
                  <li>
                    <State of={dataState(sales.state)} />
                    {sales.data_as_of && ` · read ${formatAge(sales.data_as_of)}`}
                  </li>
                )}
              </ul>
              <nav aria-label={name}>
                <ul class="tabs">
                  {(Object.keys(parts) as (keyof typeof parts)[]).map((each) => (
                    <li key={each}>
                      <a
                        href={`#/businesses/${crbId}${each && `/${each}`}`}
                        aria-current={each === part ? "page" : undefined}
                      >
                        {parts[each]}
                      </a>
                    </li>
                  ))}
                  <li>
                    <a href={`#/insights?crb_id=${crbId}`}>Insights</a>
                  </li>
                  <li>
                    <a href={`#/documents?crb_id=${crbId}`}>Documents</a>
                  </li>
                </ul>
              </nav>
              {children({ name, timezone, state, info: record, replications })}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
