/** Shows progress: on a terminal in one line that is overwritten. */
export function showProgress(stream: NodeJS.WriteStream) {
  let last = 0;
  return {
    show(text: string): void {
      if (stream.isTTY) stream.write(`\r\x1b[2K${text.slice(0, (stream.columns ?? 80) - 1)}`);
      else if (performance.now() - last > 5_000) {
        stream.write(`  ${text}\n`);
        last = performance.now();
      }
    },
    line(text: string): void {
      stream.write(`${stream.isTTY ? "\r\x1b[2K" : ""}${text}\n`);
    },
  };
}
