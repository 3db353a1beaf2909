import { createOriginalBody, editBody, readMember } from '@weir/canonical';

const NOTHING: ReadonlySet<string> = new Set();
/** Where the dialects report usage: at the top, or inside the object that an event is about. */
const HOLDERS = ['response', 'message'];

/** A recorded response as a hit shows it: the same in every byte but for `usage.cost`, which is 0. */
export function zeroCosts(body: Buffer, contentType: string): Buffer {
  if (contentType.startsWith('application/json')) return Buffer.from(zeroCost(body.toString('utf8')));
  if (!contentType.startsWith('text/event-stream')) return body;
  const lines = body.toString('utf8').split('\n');
  return Buffer.from(lines.map((line) => (line.startsWith('data: {') ? `data: ${zeroCost(line.slice(6))}` : line)).join('\n'));
}

function zeroCost(text: string): string {
  if (!text.includes('"cost"')) return text;
  const json = createOriginalBody(text);
  if (json === undefined) return text;
  const set = new Map<string, string>();
  const usage = readMember(json, 'usage');
  if (usage !== undefined) set.set('usage', zeroMember(usage));
  for (const name of HOLDERS) {
    const inner = readMember(json, name);
    if (inner !== undefined) set.set(name, zeroCost(inner));
  }
  return set.size === 0 ? text : editBody(json, { set, remove: NOTHING });
}

function zeroMember(usage: string): string {
  const json = createOriginalBody(usage);
  if (json === undefined || readMember(json, 'cost') === undefined) return usage;
  return editBody(json, { set: new Map([['cost', '0']]), remove: NOTHING });
}
