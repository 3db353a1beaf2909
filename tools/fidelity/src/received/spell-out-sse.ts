/**
 * The same events in the one spelling the grammar is checked in: providers leave out blanks, end lines with CR LF, or name
 * an event after its data, all of which the standard allows.
 */
export function spellOutSse(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((frame) => frame.split('\n'))
    .map((lines) => ({ event: fieldOf(lines, 'event').at(-1), data: fieldOf(lines, 'data').join('\n') }))
    .filter(({ data }) => data !== '')
    .map(({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`)
    .join('');
}

function fieldOf(lines: readonly string[], name: string): string[] {
  return lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
}
