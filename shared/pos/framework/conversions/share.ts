/** Converts a percentage to a fraction, 8.75 to 0.0875, without floating-point noise. */
export function share(percent: number | null): number | null {
  return percent === null ? null : Number((percent / 100).toPrecision(12));
}
