import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Capture, CapturedRequest } from './capture';
import { classifyBody } from './classify-body';
import { getFixturesFolder } from './fixtures-folder';
import { readCassette } from './read-cassette';
import { wrapChunks } from './wrap-chunks';

/** One capture: of a cassette the first exchange, or the one asked for. Relative paths start in the fixtures folder. */
export function loadCapture(path: string, exchange = 0): Capture {
  const capture = loadCaptures(path)[exchange];
  if (capture === undefined) throw new Error(`${path} has no exchange ${exchange}`);
  return capture;
}

/** Everything a file holds: all exchanges of a cassette, one capture of any other file. */
export function loadCaptures(path: string): Capture[] {
  const raw = readFileSync(isAbsolute(path) ? path : join(getFixturesFolder(), path));
  const bytes = path.endsWith('.gz') ? gunzipSync(raw) : raw;
  const name = path.replace(/\.gz$/, '');
  if (name.endsWith('.yaml')) return readCassette(path, bytes.toString('utf8'));
  if (name.endsWith('.chunks.txt')) return [{ path, role: 'reply', ...wrapChunks(bytes.toString('utf8')) }];
  if (name.endsWith('.snap')) return [{ path, role: 'translation', ...classifyBody(cutPreamble(bytes)) }];
  if (path.includes('client-captures/')) return readClientCaptures(path, bytes.toString('utf8'));
  const role = /(^|\/)req-[^/]*$/.test(path) ? 'request' : 'reply';
  return [{ path, role, ...classifyBody(bytes) }];
}

/** A snapshot starts with a header between two `---` lines that says where it came from. */
function cutPreamble(bytes: Buffer): Buffer {
  const text = bytes.toString('utf8');
  const header = /^---\n[\s\S]*?\n---\n/.exec(text);
  return Buffer.from(text.slice(header?.[0].length ?? 0));
}

/** What real clients sent: the body is the request's. One file holds several, by the name of the client. */
function readClientCaptures(path: string, text: string): Capture[] {
  const content = JSON.parse(text) as Record<string, unknown>;
  const found = typeof content['url'] === 'string' ? [content] : (Object.values(content).flat() as Record<string, unknown>[]);
  return found.map((one) => {
    const body = one['body'];
    const bytes = Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
    return { path, role: 'request', ...classifyBody(bytes), request: readClientRequest(one) };
  });
}

function readClientRequest(one: Record<string, unknown>): CapturedRequest {
  return {
    method: String(one['method'] ?? 'POST'),
    url: String(one['url'] ?? ''),
    headers: (one['headers'] ?? {}) as Record<string, string>,
    body: one['body'],
  };
}
