import {
  GREETING,
  GREETING_HEADER,
  NOT_BEGUN_HEADER,
  PASSPORT_BYTES_MAX,
  PASSPORT_HEADER,
  PASSPORT_TAKEN_WITHIN_MS,
  readGreeting,
  SEND_TERMS,
  SEND_WHOLE,
  signPassport,
  signShortPassport,
  TERMS_HEADER,
  writeTerms,
  type Greeting,
  type WrittenTerms,
} from '@weir/contracts';
import { digestForwarded } from '@weir/http-server';
import type { ConnectionNotes, UpstreamResponse } from '@weir/upstream-http';
import { hash } from 'node:crypto';
import type { AdmittedRequest } from './forward-in-process';
import type { KnownTerms } from './known-terms';

/** What is noted of a connection to a worker. */
type WorkerConnection = {
  /** Absent until the worker has said that it understands short passports. */
  greeting?: Greeting | undefined;
  /** Of the last short passport. */
  number?: number;
  /** A short passport was worth nothing here: something between mixes connections, so that none will be. */
  isMixed?: boolean;
};

export type PassportDesk = { readonly secret: string; readonly known: KnownTerms };

type SentRequest = Pick<AdmittedRequest, 'passport' | 'body' | 'form'>;

type Manner = {
  /** With its query. */
  readonly path: string;
  /** Whatever the connection is. */
  readonly isWhole: boolean;
};

/**
 * The passport of one try to send a request. It is written when the connection is known: short where the worker at its other
 * end has said that it understands that, whole elsewhere. One that was never read is worth nothing for the next try.
 */
export class SentPassport {
  private connection: WorkerConnection = {};
  /** Those of a short passport. */
  private terms: WrittenTerms | undefined;
  private areTermsSent = false;

  constructor(
    private readonly request: SentRequest,
    private readonly manner: Manner,
    private readonly desk: PassportDesk,
  ) {}

  write(headers: Record<string, string>, notes: ConnectionNotes): void {
    this.connection = notes;
    const { greeting } = this.connection;
    // A form is sent once: what came as files is on a disk.
    if (greeting === undefined || this.manner.isWhole || this.request.form !== undefined) this.writeWhole(headers);
    else this.writeShort(headers, greeting);
  }

  /** Learns from the head of the reply. True when the worker has begun nothing and wants the whole passport. */
  learn({ headers }: Pick<UpstreamResponse, 'headers'>): boolean {
    const { connection, terms } = this;
    const refusal = headers[NOT_BEGUN_HEADER];
    if (terms === undefined) {
      if (connection.isMixed !== true) connection.greeting ??= readGreeting(headers[GREETING_HEADER]);
      return false;
    }
    const { process = '' } = connection.greeting ?? {};
    if (refusal === SEND_TERMS) this.desk.known.remove(process, terms.digest);
    else if (refusal === SEND_WHOLE) this.doubtConnection();
    else if (refusal === undefined && this.areTermsSent) this.desk.known.add(process, terms.digest);
    return refusal === SEND_TERMS || refusal === SEND_WHOLE;
  }

  private doubtConnection(): void {
    this.connection.greeting = undefined;
    this.connection.isMixed = true;
  }

  private writeWhole(headers: Record<string, string>): void {
    const { passport, body, form } = this.request;
    const { path } = this.manner;
    const digest = digestForwarded({ path, body, form });
    const binding = { ...(digest === undefined ? {} : { digest }), takenByMs: this.takenByMs() };
    headers[PASSPORT_HEADER] = signPassport({ ...passport, binding }, this.desk.secret);
    if (this.connection.isMixed !== true) headers[GREETING_HEADER] = GREETING;
  }

  private writeShort(headers: Record<string, string>, { process, connection }: Greeting): void {
    const { passport, body } = this.request;
    const { path } = this.manner;
    const { known, secret } = this.desk;
    const terms = writeTerms(passport);
    const number = (this.connection.number ?? 0) + 1;
    const bodyDigest = hash('sha256', body, 'base64url');
    const facts = { connection, number, termsDigest: terms.digest, bodyDigest, takenByMs: this.takenByMs(), path };
    const short = signShortPassport(passport, facts, secret);
    const sentTerms = known.has(process, terms.digest) ? '' : Buffer.from(terms.text).toString('base64url');
    if (short.length + sentTerms.length > PASSPORT_BYTES_MAX) return this.writeWhole(headers);
    headers[PASSPORT_HEADER] = short;
    if (sentTerms !== '') headers[TERMS_HEADER] = sentTerms;
    this.terms = terms;
    this.areTermsSent = sentTerms !== '';
    this.connection.number = number;
  }

  private takenByMs(): number {
    return Math.min(this.request.passport.deadlineMs, Date.now() + PASSPORT_TAKEN_WITHIN_MS);
  }
}
