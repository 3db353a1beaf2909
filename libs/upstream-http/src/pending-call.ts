import { GatewayError } from '@weir/errors';
import { errors, type Dispatcher } from 'undici';
import { listEncodings, openDecodedBody, type BodySink } from './decoded-body';
import { ResponseBody } from './response-body';
import type { UpstreamCall, UpstreamResponse } from './upstream-transport';

type Answer = { resolve(response: UpstreamResponse): void; reject(reason: unknown): void };

/** One request on its connection, from the wait for a free one until the last byte of the body. */
export class PendingCall implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private body: ResponseBody | undefined;
  /** The body itself, but where it has to be decoded. */
  private sink: BodySink | undefined;
  private isOver = false;
  private readonly onAbort = (): void => this.cancel();

  constructor(
    private readonly signal: UpstreamCall['signal'],
    private readonly answer: Answer,
  ) {
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(toError(this.signal.reason));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamResponse['headers']): void {
    if (status < 200 || this.isOver) return;
    const source = {
      pause: () => controller.pause(),
      resume: () => controller.resume(),
      abort: () => this.abort(controller),
    };
    const encodings = listEncodings(headers['content-encoding']);
    if (encodings.length === 0) {
      this.body = new ResponseBody(source);
      this.sink = this.body;
      this.answer.resolve({ status, headers, body: this.body });
    } else {
      const opened = openDecodedBody(encodings, source);
      this.body = opened.body;
      this.sink = opened.sink;
      this.answer.resolve({ status, headers: withoutEncoding(headers), body: this.body });
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.sink?.push(chunk);
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: UpstreamResponse['headers']): void {
    this.finish();
    this.sink?.end(pickTexts(trailers));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.isOver) return;
    this.finish();
    if (this.sink === undefined) this.answer.reject(explainFailure(error));
    else this.sink.fail(error);
  }

  private cancel(): void {
    if (this.isOver) return;
    const { controller, body, signal } = this;
    this.finish();
    if (body === undefined) this.answer.reject(signal.reason);
    else body.cancel(signal.reason);
    controller?.abort(toError(signal.reason));
  }

  private abort(controller: Dispatcher.DispatchController): void {
    this.finish();
    controller.abort(new errors.RequestAbortedError());
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.signal.removeEventListener('abort', this.onAbort);
  }
}

function explainFailure(error: unknown): GatewayError {
  if (error instanceof errors.HeadersTimeoutError) {
    return new GatewayError('provider_timeout', 'The provider did not answer in time. Try again, or use another model.', { cause: error });
  }
  return new GatewayError('provider_unreachable', 'The provider could not be reached. Try again, or use another model.', { cause: error });
}

/** Of a body that is decoded here, neither its encoding nor its length holds any more. */
function withoutEncoding(headers: UpstreamResponse['headers']): UpstreamResponse['headers'] {
  return { ...headers, 'content-encoding': undefined, 'content-length': undefined };
}

function pickTexts(headers: UpstreamResponse['headers']): Record<string, string> {
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
