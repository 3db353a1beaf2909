import { createOriginalBody, mayHoldLongNumber, parseExactJson, type ChatRequest, type OriginalBody } from '@weir/canonical';
import { getEndpoint, type ChatDialect } from '@weir/contracts';
import { GatewayError, invariant } from '@weir/errors';
import { COMMENT, findHeartbeats, RequestRun, writeStreamHead, type RunParts } from '@weir/exchange';
import { parseJsonBody, type ForwardedRequest, type ParsedBody } from '@weir/http-server';
import { completionsFormat, wireFormats, type ReplyContext, type WireFormat } from '@weir/wire-formats';

/** The request state: all that the worker knows about the chat request it is serving. */
export class ChatSession extends RequestRun {
  readonly dialect: ChatDialect;
  readonly format: WireFormat;
  private parsed: ParsedBody | undefined;
  private originalBody: OriginalBody | undefined;
  private exactJson: Record<string, unknown> | undefined;
  private decoded: ChatRequest | undefined;
  /** Ends the comments that keep the caller waiting. */
  private stopBeating: (() => void) | undefined;

  constructor(forwarded: ForwardedRequest, parts: RunParts) {
    super(forwarded, parts);
    const { endpointId } = forwarded.passport;
    const { dialect } = getEndpoint(endpointId);
    invariant(dialect !== undefined, `endpoint ${endpointId} has a chat dialect`);
    this.dialect = dialect;
    this.format = endpointId === 'completions' ? completionsFormat : wireFormats[dialect];
  }

  /** Text and value of the request, as the guardrails let it pass. */
  get body(): ParsedBody {
    return (this.parsed ??= this.forwarded.parsed ?? parseJsonBody(this.forwarded.body));
  }

  /** The caller's body for the express lane; read once. */
  original(): OriginalBody {
    if (this.originalBody !== undefined) return this.originalBody;
    const original = this.body.original ?? createOriginalBody(this.body.text);
    invariant(original !== undefined, 'a parsed body is a JSON object');
    return (this.originalBody = original);
  }

  /**
   * Lets go of all that was made of the body: most streams need nothing of it any more, and they are open for long. Its bytes are
   * kept, and what is asked for nevertheless is read from them again.
   */
  releaseParsedBody(): void {
    this.forwarded.parsed = this.parsed = this.originalBody = this.exactJson = this.decoded = undefined;
  }

  /** The value of the request with every digit of its numbers, for what goes on as it came: see `parseExactJson`. */
  get exact(): Record<string, unknown> {
    return (this.exactJson ??= this.readExact());
  }

  private readExact(): Record<string, unknown> {
    const { body } = this;
    return mayHoldLongNumber(body.original?.outline ?? body.text) ? (parseExactJson(body.text) as Record<string, unknown>) : body.json;
  }

  /**
   * Keeps the caller of a stream waiting while no attempt has content for it: the head, and comments, until `stopWaiting`. Who serves the
   * request is not known yet.
   */
  keepWaiting(heartbeatMs: number): void {
    const { response } = this;
    if (this.stopBeating !== undefined || response.destroyed) return;
    response.statusCode = 200;
    response.removeHeader('x-weir-attempts');
    if (this.dialect === 'messages') response.setHeader('request-id', this.forwarded.passport.requestId);
    writeStreamHead(response);
    const beat = (): void => {
      if (!response.destroyed && !response.writableNeedDrain) response.write(COMMENT);
    };
    beat();
    this.stopBeating = findHeartbeats(heartbeatMs).start({ hasWritten: false, silentSinceMs: performance.now(), beat });
  }

  /** Whether the head of the response has left before it was known who serves it. */
  isKeptWaiting(): boolean {
    return this.stopBeating !== undefined;
  }

  /** What follows is a reply, or why there is none. Reports whether the caller was kept waiting for it. */
  stopWaiting(): boolean {
    this.stopBeating?.();
    return this.stopBeating !== undefined;
  }

  override close(): void {
    super.close();
    this.stopBeating?.();
  }

  protected override endBegun(error: unknown): boolean {
    if (!this.isKeptWaiting() || this.response.destroyed || !(error instanceof GatewayError)) return false;
    const encoder = this.format.createStreamEncoder(new UnservedContext(this));
    this.response.end(encoder.fail(error));
    return true;
  }

  /** The caller's request in the neutral shape; decoded once. Throws the caller's error when it is invalid. */
  asked(): ChatRequest {
    return (this.decoded ??= this.format.decodeRequest(this.exact));
  }
}

/** Of a request that no attempt has a reply for. */
class UnservedContext implements ReplyContext {
  readonly requestId: string;
  readonly modelId: string;
  readonly nowMs = Date.now();

  constructor(private readonly session: ChatSession) {
    const { requestId, modelRequested } = session.forwarded.passport;
    this.requestId = requestId;
    this.modelId = modelRequested;
  }

  get asked(): ChatRequest {
    return this.session.asked();
  }

  get body(): Record<string, unknown> {
    return this.session.body.json;
  }
}
