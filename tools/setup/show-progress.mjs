const EVERY_MS = 1000;

/**
 * Writes what is being done, on a terminal with the seconds it has taken so far, in one line that never wraps. `end` returns
 * the seconds, and leaves the line as it is without them.
 */
export function showProgress(title, output) {
  const startedAt = Date.now();
  if (output.isTTY !== true) {
    output.write(`${title}\n`);
    return { end: seconds };
  }
  const draw = (more) => output.write(`\r\u001b[K${fit(`${title}${more}`, output.columns ?? 80)}`);
  draw('');
  const timer = setInterval(() => draw(` ${Math.round((Date.now() - startedAt) / 1000)} s`), EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      draw('');
      output.write('\n');
      return seconds();
    },
  };

  function seconds() {
    return ((Date.now() - startedAt) / 1000).toFixed(1);
  }
}

/** Keeps the end, which is what changes. A line as wide as the terminal would wrap. */
function fit(text, columns) {
  const most = Math.max(10, columns - 1);
  return text.length <= most ? text : `…${text.slice(text.length - most + 1)}`;
}
