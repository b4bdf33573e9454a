interface BarProps {
  value: number;
  limit: number;
  /** What the limit is, with its number and unit. */
  limitWords: string;
  valueWords: string;
}

/** A value above its limit as a bar, whose red part is the excess. Its words are below it. */
export function LimitBar({ value, limit, limitWords, valueWords }: BarProps) {
  if (!(value > limit && limit > 0)) return null;
  const at = (100 * limit) / value;
  return (
    <figure class="limit-bar">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="c-transfer" width={at} height="10" />
        <rect class="c-alarm" x={at} width={100 - at} height="10" />
      </svg>
      <figcaption>
        <span>{limitWords}</span>
        <strong>{valueWords}</strong>
      </figcaption>
    </figure>
  );
}
