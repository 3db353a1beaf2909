/** How the upstream hands over one reply: what is written, and where it waits or breaks off. */
export type Step =
  | { readonly do: 'write'; readonly bytes: Buffer }
  /** Until the caller has left, or has let it go on. */
  | { readonly do: 'wait' }
  /** For so long. Milliseconds. */
  | { readonly do: 'pause'; readonly ms: number }
  /** The connection ends here, in the middle of the reply. */
  | { readonly do: 'cut' };

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};

/** What the upstream was asked, as far as replies depend on it. */
export type Question = {
  readonly path: string;
  readonly isStream: boolean;
  readonly asksUsage: boolean;
  readonly model: string;
  readonly body: Buffer;
};

/** What the model says, whatever the dialect it is asked in. */
export type Content = {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly tools?: readonly { readonly name: string; readonly arguments: string }[];
  /** How many choices; chat completions only. */
  readonly choices?: number;
  readonly finish?: 'stop' | 'length' | 'content_filter';
  readonly usage?: Usage | 'none';
  /** `usage: null` in every frame but the last, as OpenAI does where usage was asked. */
  readonly hasNullUsage?: boolean;
  /** Further members of a whole reply, and of the first frame of a stream. */
  readonly extra?: Readonly<Record<string, unknown>>;
};

export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
};

/** How a stream's frames reach the gateway. */
export type Delivery = {
  readonly split?: 'frames' | 'bytes' | 'all' | 'halves' | 'threes';
  readonly lineEnd?: '\n' | '\r\n';
  readonly hasComments?: boolean;
  /** The connection is cut after so many frames. */
  readonly cutAfter?: number;
  /** Waits after so many frames. */
  readonly waitAfter?: number;
  /** Leaves out `data: [DONE]` or the dialect's last event. */
  readonly hasNoEnd?: boolean;
};

export type ReplyMaker = (question: Question) => Reply;
