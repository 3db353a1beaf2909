import {
  describeGreeting,
  GREETING_HEADER,
  isShortPassport,
  NOT_BEGUN_HEADER,
  PASSPORT_HEADER,
  readShortPassport,
  readSignedPassport,
  readTerms,
  SEND_TERMS,
  SEND_WHOLE,
  TERMS_HEADER,
  type EndpointRow,
  type Passport,
  type PassportTerms,
  type ShortPassport,
} from '@weir/contracts';
import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findConnection } from './connection-numbers';
import { digestForwarded, type DigestedRequest } from './digest-forwarded-request';
import type { PassportNote, PassportUses } from './passport-uses';
import { createTermsCache } from './terms-cache';

export type PassportReaderOptions = {
  readonly passportSecret: string;
  readonly now: () => number;
  /** Which whole passports were used, by any worker. */
  readonly uses: PassportUses;
};

/** A passport that was read, before its body was received. */
export type PresentedPassport = {
  readonly passport: Passport;
  /** Absent for a whole one. */
  readonly short?: ShortPassport;
};

/** Reads the passports that come to one worker. Of one that is refused it returns why. */
export type PassportReader = {
  present(request: IncomingMessage, response: ServerResponse, endpoint: EndpointRow): PresentedPassport | PassportNote;
  /** Takes a passport for the one request it was made for, once: with another body or path, or again, it is worth nothing. */
  take(presented: PresentedPassport, received: DigestedRequest): PassportNote | undefined | Promise<PassportNote | undefined>;
};

export function createPassportReader({ passportSecret, now, uses }: PassportReaderOptions): PassportReader {
  const terms = createTermsCache({ now });
  const processName = randomUUID();

  const findTerms = (digest: string, header: string | string[] | undefined): PassportTerms | undefined => {
    const found = terms.find(digest);
    if (found !== undefined || typeof header !== 'string') return found;
    const brought = readTerms(header, digest);
    if (brought !== undefined) terms.keep(digest, brought, header.length);
    return brought;
  };
  const presentShort = (header: string, { socket, url = '', headers }: IncomingMessage): PresentedPassport | PassportNote => {
    const short = readShortPassport(header, url, passportSecret);
    if (short === undefined) return 'unsigned';
    const connection = findConnection(socket);
    if (short.connection !== connection.name) return 'elsewhere';
    if (short.number <= connection.last) return 'used';
    // Whatever becomes of the request: its passport is worth nothing any more.
    connection.last = short.number;
    const found = findTerms(short.termsDigest, headers[TERMS_HEADER]);
    return found === undefined ? 'terms' : { passport: short.complete(found), short };
  };
  const presentWhole = (header: string, request: IncomingMessage, response: ServerResponse): PresentedPassport | PassportNote => {
    const passport = readSignedPassport(header, passportSecret, now());
    if (passport === undefined) return 'unsigned';
    if (request.headers[GREETING_HEADER] !== undefined) {
      response.setHeader(GREETING_HEADER, describeGreeting({ process: processName, connection: findConnection(request.socket).name }));
    }
    return { passport };
  };
  const takeWhole = async ({ requestId, deadlineMs, binding }: Passport, received: DigestedRequest): Promise<PassportNote | undefined> => {
    const untilMs = binding?.takenByMs ?? deadlineMs;
    if (untilMs <= now()) return 'late';
    if (binding?.digest !== undefined && binding.digest !== digestForwarded(received)) return 'changed';
    return (await uses.claim(requestId, untilMs)) ? undefined : 'used';
  };
  return {
    present: (request, response, endpoint) => {
      const header = request.headers[PASSPORT_HEADER];
      if (typeof header !== 'string') return 'unsigned';
      const isShort = isShortPassport(header);
      const presented = isShort ? presentShort(header, request) : presentWhole(header, request, response);
      const checked = typeof presented === 'string' || presented.passport.endpointId === endpoint.id ? presented : 'unsigned';
      if (isShort && typeof checked === 'string') response.setHeader(NOT_BEGUN_HEADER, checked === 'terms' ? SEND_TERMS : SEND_WHOLE);
      return checked;
    },
    take: ({ passport, short }, received) => {
      if (short === undefined) return takeWhole(passport, received);
      if (Math.min(short.takenByMs, passport.deadlineMs) <= now()) return 'late';
      const isSame = received.form === undefined && short.bodyDigest === hash('sha256', received.body, 'base64url');
      return isSame ? undefined : 'changed';
    },
  };
}
