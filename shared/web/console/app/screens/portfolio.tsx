import { useDraft } from "../drafts.ts";
import { formatTime } from "../formatTime.ts";
import type { Output } from "../operations.ts";
import { type Column, DataTable } from "../parts/dataTable.tsx";
import { Empty } from "../parts/empty.tsx";
import { Figure, Figures } from "../parts/figures.tsx";
import { Head } from "../parts/head.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { State } from "../parts/mark.tsx";
import { connectionState, crbState } from "../texts.ts";
import { useRead } from "../useRead.ts";

type Business = Output<"listServiceProviderCrbs">["data"][number];

const connectionOf = ({ pos_configs: [first] }: Business) => connectionState(first?.status ?? "Not Connected");
const placeOf = ({ city, state }: Business) => [city, state].filter(Boolean).join(", ");

const columns: readonly Column<Business>[] = [
  {
    label: "Business",
    cell: (each) => (
      <>
        {each.name}
        <span class="under">{[placeOf(each), each.business_type].filter(Boolean).join(" · ")}</span>
      </>
    ),
    csv: ({ name }) => name,
  },
  { label: "State", cell: ({ state }) => state, csv: ({ state }) => state },
  {
    label: "Due diligence",
    cell: ({ status }) => <State of={crbState(status)} />,
    csv: ({ status }) => crbState(status)[1],
  },
  {
    label: "Point of sale",
    cell: (each) => (
      <>
        <State of={connectionOf(each)} />
        <span class="under">{each.pos_configs[0]?.name}</span>
      </>
    ),
    csv: (each) => connectionOf(each)[1],
  },
];

/** All businesses of the institution. */
export function Portfolio() {
  const list = useRead("listServiceProviderCrbs", { query: { limit: 1000 } });
  const { data, readAt } = list;
  const [wanted, setWanted] = useDraft("find", "");
  const lead = data && `${data.metadata.total} ${data.metadata.total === 1 ? "business" : "businesses"}.`;
  return (
    <>
      <Head title="Portfolio" lead={lead} asOf={readAt === undefined ? undefined : formatTime(readAt)} />
      <Loaded of={list} name="The list of businesses">
        {({ data: rows, metadata: { total } }) =>
          total === 0 ? (
            <Empty title="No business yet">
              <p>
                A business appears here as soon as you invite it. Its owner agrees to the terms and connects the point
                of sale; you do not need the owner’s password.
              </p>
            </Empty>
          ) : (
            <>
              <Overview rows={rows} total={total} />
              <search class="bar">
                <div class="field">
                  <label for="find">Find a business</label>
                  <input
                    id="find"
                    type="search"
                    value={wanted}
                    onInput={({ currentTarget }) => setWanted(currentTarget.value)}
                  />
                </div>
              </search>
              <DataTable
                title="All businesses"
                caption={
                  rows.length < total
                    ? `The ${rows.length} that changed last, of ${total}.`
                    : "The one that changed last comes first."
                }
                columns={columns}
                rows={rows.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))}
                keyOf={({ id }) => id}
                operation="listServiceProviderCrbs"
                file="businesses"
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Overview({ rows, total }: { rows: readonly Business[]; total: number }) {
  const completeness = rows.length < total ? `of the ${rows.length} that changed last` : `of all ${total}`;
  const count = (isCounted: (business: Business) => boolean) => String(rows.filter(isCounted).length);
  const figures: [string, string][] = [
    ["Point of sale connected, now", count((each) => connectionOf(each)[0] === "good")],
    ["Needs attention, now", count((each) => connectionOf(each)[0] === "look")],
    ["Documents wait for you, now", count(({ status }) => status === "bank_awaiting_review")],
  ];
  return (
    <Figures>
      {figures.map(([label, value]) => (
        <Figure
          key={label}
          label={label}
          value={value}
          completeness={completeness}
          operation="listServiceProviderCrbs"
        />
      ))}
    </Figures>
  );
}
