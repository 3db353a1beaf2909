import type { OriginalBody } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { isUtf8 } from 'node:buffer';
import { createJsonCheck, type ScannedText } from '../json/check-json';
import type { JsonBounds } from '../json/scan-json';
import { takeTurn } from '../json/yield-event-loop';
import { JsonBody, readOutline } from './json-body';

export type ParsedBody = {
  readonly text: string;
  readonly json: Record<string, unknown>;
  /** The same as it came; absent where it did not come like this. */
  readonly original?: OriginalBody;
};

/** What the body of a request may hold; see docs/security.md. */
export const REQUEST_BOUNDS: JsonBounds = {
  depthMax: 64,
  containersMax: 60_000,
  objectMembersMax: 10_000,
  weightMax: 500_000,
  nameBytesMax: 1_024,
  freeNameBytesMax: 65_536,
  numberBytesMax: 1_024,
};

/** From here on a body is read in several ticks of the event loop. */
const LARGE_BYTES = 256 * 1024;

const json = createJsonCheck(REQUEST_BOUNDS, 'mended');

/**
 * Parses a JSON object out of a request body. Throws `invalid_json`, `invalid_request` or `body_too_large`; nothing gets past it
 * half-read, and no member is in it twice. Half of a surrogate pair becomes U+FFFD in `body` itself, which is what goes on.
 */
export function parseJsonBody(body: Buffer): ParsedBody {
  checkEncoding(body);
  const scanned = json.check(body);
  return parse(scanned, readOutline(scanned));
}

/** The same for a body of any size: others are served while a large one is read. Small ones are there at once. */
export function readJsonBody(body: Buffer): ParsedBody | Promise<ParsedBody> {
  return isLargeText(body) ? readLarge(body) : parseJsonBody(body);
}

/** Whether what is done with the text of a body takes so long that it should yield the event loop in between. */
export function isLargeText({ length }: Pick<string, 'length'>): boolean {
  return length > LARGE_BYTES;
}

async function readLarge(body: Buffer): Promise<ParsedBody> {
  const { length } = body;
  await takeTurn(length);
  checkEncoding(body);
  const scanned = await json.checkLarge(body);
  const outline = readOutline(scanned);
  await takeTurn(length);
  const parsed = parse(scanned, outline);
  await takeTurn(length);
  return parsed;
}

function checkEncoding(body: Buffer): void {
  if (!isUtf8(body)) throw new GatewayError('invalid_json', 'The request body is not valid UTF-8. Send JSON in UTF-8.');
}

function parse(scanned: ScannedText, outline: string): ParsedBody {
  const body = build(scanned, outline);
  const value: unknown = body.json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GatewayError('invalid_json', 'The request body must be a JSON object.');
  }
  return body;
}

function build(scanned: ScannedText, outline: string): JsonBody {
  try {
    return new JsonBody(scanned, outline);
  } catch (error) {
    throw new GatewayError('invalid_json', `The request body is not valid JSON: ${describe(error)}.`, { cause: error });
  }
}

/** Where the text breaks, without quoting the text itself. */
function describe(error: unknown): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? 'it ends too early or holds an unexpected character' : `unexpected character at position ${position}`;
}
