import { Choice } from "../../../browser/parts.tsx";
import { useOverview } from "../overview.ts";
import { Loaded } from "./layout.tsx";

interface ChoiceProps {
  /** The `crb_id` of the chosen business; empty if none is chosen. */
  value: string;
  changed(crbId: string): void;
  /** The words for no business. */
  none?: string;
}

/** The choice of one business of the institution, by name. */
export function BusinessChoice({ value, changed, none = "Choose a business" }: ChoiceProps) {
  const list = useOverview();
  return (
    <Loaded of={list} name="The list of businesses">
      {({ data }) => {
        const byName = data.toSorted((one, other) => one.name.localeCompare(other.name));
        const options = byName.map(({ crb_id, name, state }) => [crb_id, `${name}, ${state}`] as const);
        return (
          <Choice id="business" label="Business" value={value} options={[["", none], ...options]} changed={changed} />
        );
      }}
    </Loaded>
  );
}
