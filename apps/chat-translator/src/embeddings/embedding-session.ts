import type { EmbeddingRequest } from '@weir/canonical';
import { RequestRun } from '@weir/exchange';
import { parseJsonBody, type ParsedBody } from '@weir/http-server';
import { estimateTokens } from '../session/estimate-tokens';
import { decodeEmbeddingRequest } from './decode-embedding-request';

/** The request state: all that the worker knows about the embedding request it is serving. */
export class EmbeddingSession extends RequestRun {
  private parsed: ParsedBody | undefined;
  private decoded: EmbeddingRequest | undefined;
  private estimated: number | undefined;

  get body(): ParsedBody {
    return (this.parsed ??= this.forwarded.parsed ?? parseJsonBody(this.forwarded.body));
  }

  /** Decoded once. Throws the caller's error when the request is invalid. */
  get asked(): EmbeddingRequest {
    return (this.decoded ??= decodeEmbeddingRequest(this.body.json));
  }

  /** Tokens of all inputs: exact where they came as tokens, else an estimate for providers that never report usage. */
  get promptEstimate(): number {
    return (this.estimated ??= countInputs(this.asked));
  }

  get isPromptCounted(): boolean {
    return this.asked.inputs.kind === 'tokens';
  }
}

function countInputs({ inputs }: EmbeddingRequest): number {
  if (inputs.kind === 'tokens') return inputs.items.reduce((sum, tokens) => sum + tokens.length, 0);
  return inputs.items.reduce((sum, text) => sum + estimateTokens(Buffer.byteLength(text)), 0);
}
