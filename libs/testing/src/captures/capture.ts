export type CaptureKind = 'json' | 'sse' | 'bytes';

export type CapturedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it was JSON, else text; undefined when none was kept. */
  readonly body: unknown;
};

export type Capture = {
  readonly path: string;
  readonly kind: CaptureKind;
  /** Text for `json` and `sse`, bytes for the rest (event streams, audio, HTML, broken JSON). */
  readonly body: string | Buffer;
  /** What the file holds: a provider's reply, a client's request, or what another gateway made of a reply. */
  readonly role: 'reply' | 'request' | 'translation';
  /** Known for recorded exchanges only. */
  readonly status?: number;
  readonly contentType?: string;
  readonly request?: CapturedRequest;
};

export type CapturedBody = Pick<Capture, 'kind' | 'body'>;
