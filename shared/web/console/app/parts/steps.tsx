/** The steps of a task. @param done how many are done */
export function Steps({ names, done }: { names: readonly string[]; done: number }) {
  return (
    <ol class="steps">
      {names.map((name, index) => (
        <li key={name} class={index < done ? "done" : undefined} aria-current={index === done ? "step" : undefined}>
          <span class="mark">
            {index < done ? (
              <svg class="i" viewBox="0 0 16 16" role="img" aria-label="Done">
                <path d="m2.8 8.6 3.4 3.4 7-7.6" />
              </svg>
            ) : (
              index + 1
            )}
          </span>
          {name}
        </li>
      ))}
    </ol>
  );
}
