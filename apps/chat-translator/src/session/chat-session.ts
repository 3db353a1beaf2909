import { createOriginalBody, type ChatRequest, type OriginalBody } from '@weir/canonical';
import { getEndpoint, type ChatDialect } from '@weir/contracts';
import { invariant } from '@weir/errors';
import { RequestRun, type RunParts } from '@weir/exchange';
import { parseJsonBody, type ForwardedRequest, type ParsedBody } from '@weir/http-server';
import { completionsFormat, wireFormats, type WireFormat } from '@weir/wire-formats';
import { keepLongIntegers } from './keep-long-integers';

/** The request state: all that the worker knows about the chat request it is serving. */
export class ChatSession extends RequestRun {
  readonly dialect: ChatDialect;
  readonly format: WireFormat;
  private parsed: ParsedBody | undefined;
  private originalBody: OriginalBody | undefined;
  private decoded: ChatRequest | undefined;

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
    this.forwarded.parsed = this.parsed = this.originalBody = this.decoded = undefined;
  }

  /** The caller's request in the neutral shape; decoded once. Throws the caller's error when it is invalid. */
  asked(): ChatRequest {
    return (this.decoded ??= this.format.decodeRequest(keepLongIntegers(this.body)));
  }
}
