import type { z } from 'zod';
import { shortPassportDetails, type Passport, type PassportHold } from './passport';
import type { PassportTerms } from './passport-terms';
import { isSignedText, signText } from './sign-text';

/**
 * Where a short passport is worth anything: it is the `number`th of one connection of one worker. One that is seen on the wire
 * is of no use anywhere else, nor there again.
 */
export type ShortPassportPlace = {
  /** The name that the worker gave the connection. */
  readonly connection: string;
  readonly number: number;
};

export type ShortPassport = ShortPassportPlace & {
  readonly termsDigest: string;
  /** Of the body. */
  readonly bodyDigest: string;
  /** A worker takes it before this. UTC epoch milliseconds. */
  readonly takenByMs: number;
  /** Makes a passport of it and its terms. */
  complete(terms: PassportTerms): Passport;
};

type Details = z.infer<typeof shortPassportDetails>;
type WrittenHold = NonNullable<Details['hold']>;
/** As it is written: `connection, number, terms, body, takenByMs, requestId, admittedAtMs, deadlineMs, details`. Only ever longer. */
type Written = [string, number, string, string, number, string, number, number, Details];
const MEMBERS = ['string', 'number', 'string', 'string', 'number', 'string', 'number', 'number', 'object'] as const;

/** What a signature is for; the path that the request is sent to is signed, and not written. */
const PURPOSE = 'short passport';
/** No whole passport begins like this. */
const VERSION = '2.';
const SIGNATURE_CHARACTERS = 43;

export type ShortPassportFacts = ShortPassportPlace & {
  readonly termsDigest: string;
  readonly bodyDigest: string;
  readonly takenByMs: number;
  /** With its query. */
  readonly path: string;
};

/** Signs a passport without its terms, for one place: `2.<json in ASCII>.<base64url HMAC-SHA256>`. */
export function signShortPassport(passport: Passport, facts: ShortPassportFacts, secret: string): string {
  const { connection, number, termsDigest, bodyDigest, takenByMs, path } = facts;
  const { requestId, admittedAtMs, deadlineMs } = passport;
  const details = describeDetails(passport);
  const written: Written = [connection, number, termsDigest, bodyDigest, takenByMs, requestId, admittedAtMs, deadlineMs, details];
  const text = toAscii(JSON.stringify(written));
  return `${VERSION}${text}.${signText(describeSigned(path, text), secret)}`;
}

export function isShortPassport(header: string): boolean {
  return header.startsWith(VERSION);
}

/** Reads a short passport that came to a path. Undefined when its signature is wrong, or it is none. */
export function readShortPassport(header: string, path: string, secret: string): ShortPassport | undefined {
  const end = header.length - SIGNATURE_CHARACTERS - 1;
  const text = header.slice(VERSION.length, end);
  if (!isShortPassport(header) || !isSignedText(describeSigned(path, text), header.slice(end + 1), secret)) return undefined;
  const written = JSON.parse(text) as Written;
  if (!MEMBERS.every((type, at) => typeof written[at] === type)) return undefined;
  const details = shortPassportDetails.safeParse(written[8]);
  return details.success ? describeWritten(written, details.data) : undefined;
}

function describeSigned(path: string, text: string): string {
  return `${PURPOSE}\n${path}\n${text}`;
}

function describeDetails({ requestId, originTitle, endUserId, traceId, extra, hold, freePlaceByMs }: Passport): Details {
  const details: Details = {};
  if (originTitle !== null) details.originTitle = originTitle;
  if (endUserId !== null) details.endUserId = endUserId;
  if (traceId !== null) details.traceId = traceId;
  for (const _ in extra) {
    details.extra = extra;
    break;
  }
  if (freePlaceByMs !== undefined) details.freePlaceByMs = freePlaceByMs;
  if (hold === null) return details;
  const { id, reservedPico, bounds, beginByMs, isLeased, amounts, uncounted } = hold;
  details.hold = { reservedPico, bounds, beginByMs, isLeased };
  if (amounts !== undefined) details.hold.amounts = amounts;
  if (uncounted !== undefined) details.hold.uncounted = uncounted;
  if (id !== requestId) details.hold.id = id;
  return details;
}

function describeWritten(written: Written, details: Details): ShortPassport {
  const [connection, number, termsDigest, bodyDigest, takenByMs, requestId, admittedAtMs, deadlineMs] = written;
  const { originTitle = null, endUserId = null, traceId = null, extra = {}, hold, freePlaceByMs } = details;
  const complete = ({ usual, rare, scopes }: PassportTerms): Passport => {
    // Members by name: an object that is spread into a larger one costs as much as reading the signature.
    const passport: Passport = {
      version: usual.version,
      requestId,
      endpointId: usual.endpointId,
      admittedAtMs,
      deadlineMs,
      caller: usual.caller,
      modelRequested: usual.modelRequested,
      stream: usual.stream,
      attempts: usual.attempts,
      originTitle,
      endUserId,
      traceId,
      extra,
      hold: hold === undefined ? null : completeHold(hold, requestId, scopes),
      isStrict: usual.isStrict,
    };
    if (freePlaceByMs !== undefined) passport.freePlaceByMs = freePlaceByMs;
    return rare === undefined ? passport : Object.assign(passport, rare);
  };
  return { connection, number, termsDigest, bodyDigest, takenByMs, complete };
}

function completeHold(written: WrittenHold, requestId: string, scopes: readonly string[]): PassportHold {
  const { id = requestId, reservedPico, bounds, beginByMs, isLeased, amounts, uncounted } = written;
  const hold: PassportHold = { id, reservedPico, scopes: scopes as string[], bounds, beginByMs, isLeased };
  if (amounts !== undefined) hold.amounts = amounts;
  if (uncounted !== undefined) hold.uncounted = uncounted;
  return hold;
}

const OUTSIDE_ASCII = /[\u007f-\uffff]/g;

/** A header has one byte a character; JSON can write all others in these. */
function toAscii(json: string): string {
  return json.replace(OUTSIDE_ASCII, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
