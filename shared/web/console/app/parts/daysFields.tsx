/** The first and the last day of a period, yyyy-MM-dd. */
interface Days {
  start_date: string;
  end_date: string;
}

interface FieldsProps {
  days: Days;
  changed(days: Days): void;
  /** Whether the days have a problem, which the element with the id `days-problem` says. */
  isWrong: boolean;
}

const labels = { start_date: "First day", end_date: "Last day" } as const;

/** The fields of a period. */
export function DaysFields({ days, changed, isWrong }: FieldsProps) {
  return (
    <>
      {(["start_date", "end_date"] as const).map((name) => (
        <div key={name} class="field">
          <label for={name}>{labels[name]}</label>
          <input
            id={name}
            type="date"
            value={days[name]}
            onInput={({ currentTarget }) => changed({ ...days, [name]: currentTarget.value })}
            aria-invalid={isWrong || undefined}
            aria-describedby="days-problem"
          />
        </div>
      ))}
    </>
  );
}
