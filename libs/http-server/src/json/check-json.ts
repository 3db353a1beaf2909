import { GatewayError } from '@weir/errors';
import { JsonScan, type JsonBounds, type JsonFault, type LongText } from './scan-json';
import type { HalfUse } from './text-reader';
import { takeTurn } from './yield-event-loop';

/** A text, and what its scan found. See JsonScan. */
export type ScannedText = {
  readonly bytes: Buffer;
  readonly members: readonly number[];
  readonly longTexts: readonly LongText[];
  readonly words: number;
};

/** Finds what the parser need not look for again. Throws `invalid_request`, or `body_too_large` for a text that holds too much. */
type JsonCheck = {
  check(bytes: Buffer): ScannedText;
  /** The same a slice at a time: others are served in between. */
  checkLarge(bytes: Buffer): Promise<ScannedText>;
};

/** Scans that are kept for the next large texts. */
const IDLE_MAX = 8;
const NO_BYTES = Buffer.alloc(0);
/** So much is scanned at a time: a few milliseconds, whatever is in it. */
const SLICE_BYTES = 256 * 1024;

/** `mended`: halves of surrogate pairs are mended in the bytes themselves, before anyone else reads them. */
export function createJsonCheck(bounds: JsonBounds, halves: HalfUse = 'kept'): JsonCheck {
  // What is read in one go leaves nothing behind that the next could meet.
  const shared = new JsonScan(bounds, halves);
  // What is read in parts needs one of its own meanwhile; making it takes as long as reading a large text.
  const idle: JsonScan[] = [];
  return {
    check: (bytes) => {
      shared.start(bytes).run();
      return describeText(shared, bytes, bounds);
    },
    checkLarge: async (bytes) => {
      const scan = (idle.pop() ?? new JsonScan(bounds, halves)).start(bytes);
      for (let until = SLICE_BYTES; !scan.run(until); until += SLICE_BYTES) await takeTurn(bytes.length);
      try {
        return describeText(scan, bytes, bounds);
      } finally {
        scan.start(NO_BYTES);
        if (idle.length < IDLE_MAX) idle.push(scan);
      }
    },
  };
}

function describeText({ fault, members, longTexts, words }: JsonScan, bytes: Buffer, bounds: JsonBounds): ScannedText {
  if (fault !== undefined) throw describeFault(fault, bounds);
  return { bytes, members, longTexts, words };
}

function describeFault({ kind, path }: JsonFault, bounds: JsonBounds): GatewayError {
  switch (kind) {
    case 'doubled':
      return new GatewayError('invalid_request', `The request body has the member ${path} twice. Send each member of an object once.`, {
        field: path,
      });
    case 'depth':
      return new GatewayError('invalid_request', `The request body nests more than ${bounds.depthMax} levels deep.`);
    case 'name':
      return nameTooLong(bounds.nameBytesMax);
    case 'free_name':
      return nameTooLong(bounds.freeNameBytesMax);
    case 'number':
      return new GatewayError('invalid_request', `The request body has a number of more than ${bounds.numberBytesMax} digits.`);
    case 'containers':
      return tooMuch(`${bounds.containersMax} objects and lists`);
    case 'object':
      return tooMuch(`${bounds.objectMembersMax} members in one object`);
    case 'weight':
      return tooMuch(`${bounds.weightMax} units (a text, an object or a list counts 3, a member 2, an element of a list 1)`);
  }
}

function nameTooLong(bytesMax: number): GatewayError {
  return new GatewayError('invalid_request', `The request body has a member whose name is longer than ${bytesMax} bytes.`);
}

function tooMuch(what: string): GatewayError {
  return new GatewayError(
    'body_too_large',
    `The request body holds more than ${what}, the most that is accepted here. Send less in one request.`,
  );
}
