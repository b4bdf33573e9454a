/** Per cent as a share, 8.75 as 0.0875, without the digits that dividing makes. */
export function share(percent: number | null): number | null {
  return percent === null ? null : Number((percent / 100).toPrecision(12));
}
