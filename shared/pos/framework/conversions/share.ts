/** Converts a percentage to a fraction without floating-point errors: 8.75 becomes 0.0875. */
export function share(percent: number | null): number | null {
  return percent === null ? null : Number((percent / 100).toPrecision(12));
}
