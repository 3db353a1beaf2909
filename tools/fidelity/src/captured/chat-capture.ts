import type { Capture } from '@weir/testing';
import type { RawEvent } from './raw-events';

/** The wire format of a capture, for any provider that served it. */
export type Family = 'chat' | 'responses' | 'messages' | 'gemini' | 'bedrock' | 'cohere';

export type ChatCapture = {
  /** File and exchange. */
  readonly name: string;
  readonly capture: Capture;
  readonly family: Family;
  /** The id of the provider that served it, as in the gateway's catalogue. */
  readonly provider: string;
  /** The model the capture names, if it does. */
  readonly model: string;
  readonly isStream: boolean;
  readonly events: readonly RawEvent[];
};

export type LeftOut = { readonly name: string; readonly reason: string };
