interface ChoiceProps {
  id: string;
  label: string;
  value: string;
  options: readonly string[];
  none?: string;
  changed(value: string): void;
}

/** A field with a choice of few values. @param none the words of the empty value */
export function Choice({ id, label, value, options, none, changed }: ChoiceProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => changed(currentTarget.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option || none}
          </option>
        ))}
      </select>
    </div>
  );
}
