import { GatewayError } from '@weir/errors';
import { errors, util, type Dispatcher } from 'undici';
import { listEncodings, openDecodedBody, type BodySink } from './decoded-body';
import { ResponseBody, type BodySource } from './response-body';
import type { UpstreamCall, UpstreamResponse } from './upstream-transport';

type Answer = { resolve(response: UpstreamResponse): void; reject(reason: unknown): void };
type Headers = UpstreamResponse['headers'];
/** Names and values in turn, as they came. */
type RawHeaders = readonly (Buffer | string | (Buffer | string)[])[];

const CONTENT_ENCODING = 'content-encoding';
const NO_TRAILERS = Object.freeze({});

/**
 * One request on its connection, from the wait for a free one until the last byte of the body. It has the form in which undici
 * calls its own handlers: in its newer one, each call is wrapped twice and its headers are parsed though no one reads them.
 */
export class PendingCall implements Dispatcher.DispatchHandler, BodySource {
  /** Nothing is to come any more, to this call or from it. */
  isOver = false;
  /** Called once when it is over, by any way. */
  onLeave: (() => void) | undefined;
  private abortRequest: ((error?: Error) => void) | undefined;
  private resumeConnection: (() => void) | undefined;
  private isPaused = false;
  private body: ResponseBody | undefined;
  /** The body itself, but where it has to be decoded. */
  private sink: BodySink | undefined;
  private readonly onAbort = (): void => this.cancel();

  constructor(
    private readonly signal: UpstreamCall['signal'],
    private readonly answer: Answer,
  ) {
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  onConnect(abort: (error?: Error) => void): void {
    this.abortRequest = abort;
    if (this.isOver) abort(toError(this.signal.reason));
  }

  onHeaders(status: number, raw: RawHeaders, resume: () => void): boolean {
    this.resumeConnection = resume;
    if (status >= 200 && !this.isOver) this.begin(status, raw);
    return !this.isPaused;
  }

  onData(chunk: Buffer): boolean {
    this.sink?.push(chunk);
    return !this.isPaused;
  }

  onComplete(trailers: RawHeaders | null): void {
    this.finish();
    this.sink?.end(trailers === null || trailers.length === 0 ? NO_TRAILERS : pickTexts(parse(trailers)));
  }

  onError(error: Error): void {
    if (this.isOver) return;
    this.finish();
    if (this.sink === undefined) this.answer.reject(explainFailure(error));
    else this.sink.fail(error);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.resumeConnection?.();
  }

  abort(): void {
    this.finish();
    this.abortRequest?.(new errors.RequestAbortedError());
  }

  private begin(status: number, raw: RawHeaders): void {
    const encodings = findEncodings(raw);
    if (encodings.length === 0) {
      this.body = new ResponseBody(this);
      this.sink = this.body;
      this.answer.resolve(new Reply(status, this.body, raw));
    } else {
      const opened = openDecodedBody(encodings, this);
      this.body = opened.body;
      this.sink = opened.sink;
      this.answer.resolve({ status, headers: withoutEncoding(parse(raw)), body: this.body });
    }
  }

  private cancel(): void {
    if (this.isOver) return;
    const { body, signal } = this;
    this.finish();
    if (body === undefined) this.answer.reject(signal.reason);
    else body.cancel(signal.reason);
    this.abortRequest?.(toError(signal.reason));
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.signal.removeEventListener('abort', this.onAbort);
    this.onLeave?.();
  }
}

/** Of most replies no one reads the headers. */
class Reply implements UpstreamResponse {
  private parsed: Headers | undefined;

  constructor(
    readonly status: number,
    readonly body: ResponseBody,
    private readonly raw: RawHeaders,
  ) {}

  get headers(): Headers {
    return (this.parsed ??= parse(this.raw));
  }
}

function parse(raw: RawHeaders): Headers {
  return util.parseHeaders(raw as (Buffer | string)[]) as Headers;
}

function findEncodings(raw: RawHeaders): readonly string[] {
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as Buffer | string;
    if (name.length === CONTENT_ENCODING.length && name.toString().toLowerCase() === CONTENT_ENCODING) {
      return listEncodings(parse(raw)[CONTENT_ENCODING]);
    }
  }
  return [];
}

function explainFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof errors.HeadersTimeoutError) {
    return new GatewayError('provider_timeout', 'The provider did not answer in time. Try again, or use another model.', { cause: error });
  }
  return new GatewayError('provider_unreachable', 'The provider could not be reached. Try again, or use another model.', { cause: error });
}

/** Of a body that is decoded here, neither its encoding nor its length holds any more. */
function withoutEncoding(headers: Headers): Headers {
  return { ...headers, 'content-encoding': undefined, 'content-length': undefined };
}

function pickTexts(headers: Headers): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') texts[name.toLowerCase()] = value;
  }
  return texts;
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new errors.RequestAbortedError();
}
