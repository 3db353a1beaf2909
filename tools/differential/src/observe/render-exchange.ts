import type { Sight } from '../compare/place';
import type { Response } from '../send/send-request';
import type { Call } from '../upstream/start-upstream';

/** What a caller got: head and trailers line by line in their order, and the body as it came. */
export function renderResponse(subject: string, { status, headers, body, trailers, ended }: Response): Sight[] {
  const head = [`status ${status}, ${ended}`, ...headers.map(lineOf), ...trailers.map((pair) => `trailer ${lineOf(pair)}`)];
  return [
    { subject, place: 'response-head', text: head.join('\n') },
    { subject, place: 'response-body', text: textOf(body) },
  ];
}

/** What the provider got, call by call. */
export async function renderCalls(subject: string, calls: readonly Call[]): Promise<Sight[]> {
  const texts = await Promise.all(
    calls.map(async (call, at) => {
      const head = [`call ${at + 1}: ${call.method} ${call.path}`, ...call.headers.map(lineOf)];
      const ended = await call.ended;
      return [...head, '', textOf(call.body), ...(call.isWaiting ? [`(the reply was read: ${ended})`] : [])].join('\n');
    }),
  );
  return [{ subject, place: 'call', text: texts.join('\n') || 'no call' }];
}

function lineOf([name, value]: readonly [string, string]): string {
  return `${name}: ${value}`;
}

/** Bytes that are no UTF-8 are shown one by one, so that no two of them look alike. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes)
    ? text
    : bytes.toString('latin1').replace(/[^\x20-\x7e\n]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
