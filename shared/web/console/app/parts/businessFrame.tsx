import type { ComponentChildren } from "preact";
import { formatAge } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { useOverview } from "../overview.ts";
import { crbState, dataState } from "../texts.ts";
import { useRead } from "../useRead.ts";
import { Count, Head, Loaded } from "./layout.tsx";
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
  children(info: Output<"getCrbInfo">): ComponentChildren;
}

/** The head of a business, the links to its parts, and one part. */
export function BusinessFrame({ crbId, part, children }: FrameProps) {
  const info = useRead("getCrbInfo", { path: { crb_id: crbId } });
  const row = useOverview().data?.data.find(({ crb_id }) => crb_id === crbId);
  const read = row?.data;
  const name = info.data?.name ?? "Business";
  const tabs: readonly (readonly [href: string, title: string, open?: number | undefined])[] = [
    ...Object.entries(parts).map(([end, title]) => [`#/businesses/${crbId}${end && `/${end}`}`, title] as const),
    [`#/insights?crb_id=${crbId}`, "Insights", row?.open_insights],
    [`#/documents?crb_id=${crbId}`, "Documents", row?.documents_to_review],
  ];
  return (
    <>
      <nav class="crumbs" aria-label="Path">
        <a href="#/">Portfolio</a> / {name}
      </nav>
      <Head title={name} about={parts[part]} />
      <Loaded of={info} name="The business">
        {(record) => (
          <>
            <ul class="list facts">
              <li>{[record.city, record.state].filter(Boolean).join(", ")}</li>
              {record.business_type && <li>{record.business_type}</li>}
              <li>point of sale: {record.pos_configs[0]?.name ?? "none"}</li>
              <li>{crbState(record.status)[1]}</li>
              {read && (
                <li>
                  <State of={dataState(read.state)} />
                  {read.data_as_of && ` · read ${formatAge(read.data_as_of)}`}
                </li>
              )}
            </ul>
            <nav aria-label={name}>
              <ul class="list tabs">
                {tabs.map(([href, title, open]) => (
                  <li key={href}>
                    <a href={href} aria-current={title === parts[part] ? "page" : undefined}>
                      {title}
                      <Count of={open} />
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            {children(record)}
          </>
        )}
      </Loaded>
    </>
  );
}
