import { useRead } from "../useRead.ts";
import { Loaded } from "./loaded.tsx";

interface ChoiceProps {
  /** The `crb_id` of the chosen business; empty if none is chosen. */
  value: string;
  changed(crbId: string): void;
  /** The words for no business. */
  none?: string;
}

/** The choice of one business of the institution, by name. */
export function BusinessChoice({ value, changed, none = "Choose a business" }: ChoiceProps) {
  const list = useRead("getOverview", { query: { limit: 1000 } });
  return (
    <Loaded of={list} name="The list of businesses">
      {({ data }) => (
        <div class="field">
          <label for="business">Business</label>
          <select id="business" value={value} onChange={({ currentTarget }) => changed(currentTarget.value)}>
            <option value="">{none}</option>
            {data
              .toSorted((one, other) => one.name.localeCompare(other.name))
              .map((row) => (
                <option key={row.crb_id} value={row.crb_id}>
                  {row.name}, {row.state}
                </option>
              ))}
          </select>
        </div>
      )}
    </Loaded>
  );
}
