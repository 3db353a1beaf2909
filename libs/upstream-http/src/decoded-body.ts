import { GatewayError } from '@weir/errors';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { ResponseBody, type BodySource } from './response-body';

/** Where a response goes as it comes: straight to its body, or through what decodes it. */
export type BodySink = {
  push(chunk: Buffer): void;
  end(trailers: Readonly<Record<string, string>>): void;
  fail(error: unknown): void;
};

/** What is decoded may grow to this much whatever came; beyond it, to no more than so many times what came. */
const DECODED_BYTES_FREE = 64 * 1024 * 1024;
const DECODED_RATIO_MAX = 200;
const ENCODINGS_MAX = 3;
const NO_BYTES = Buffer.alloc(0);

type Decoder = (first: Buffer) => Transform;

/** Of zlib by its specification, raw by the habit of some: the first byte says which. */
const inflate: Decoder = (first) => ((first[0] ?? 0) % 16 === 8 ? zlib.createInflate() : zlib.createInflateRaw());

/** Not every version of Node has it. */
const createZstd = (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: inflate,
  br: () => zlib.createBrotliDecompress(),
  ...(createZstd === undefined ? {} : { zstd: createZstd }),
};

/** The encodings of a body in the order in which they were applied; empty for one that comes as it is. */
export function listEncodings(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  const named = (typeof header === 'string' ? header : header.join(',')).split(',').map((name) => name.trim().toLowerCase());
  return named.filter((name) => name !== '' && name !== 'identity');
}

/**
 * A body whose bytes come encoded although no one asked for that. Fails with `provider_unreadable` where an encoding is not
 * known, where the bytes are not what it says, and where they grow beyond measure.
 */
export function openDecodedBody(encodings: readonly string[], source: BodySource): { body: ResponseBody; sink: BodySink } {
  const decoding = new Decoding(encodings, source);
  return { body: decoding.body, sink: decoding };
}

class Decoding implements BodySink {
  readonly body: ResponseBody;
  /** From the outermost encoding inwards; each is made when its first bytes are there. */
  private chain: Transform[] | undefined;
  private received = 0;
  private decoded = 0;
  private trailers: Readonly<Record<string, string>> = {};
  private isOver = false;
  private isPaused = false;
  /** What ended the source before its time, while what came before that is still being decoded. */
  private cut: { readonly error: unknown } | undefined;

  constructor(
    private readonly encodings: readonly string[],
    private readonly source: BodySource,
  ) {
    this.body = new ResponseBody({
      pause: () => {
        this.isPaused = true;
        this.innermost()?.pause();
      },
      resume: () => {
        this.isPaused = false;
        this.innermost()?.resume();
        if (this.chain === undefined) source.resume();
      },
      abort: () => {
        this.stop();
        source.abort();
      },
    });
  }

  push(chunk: Buffer): void {
    if (this.isOver || this.cut !== undefined) return;
    this.received += chunk.length;
    const first = this.chain?.[0] ?? this.open(chunk);
    if (first === undefined || first.write(chunk)) return;
    this.source.pause();
    first.once('drain', () => this.source.resume());
  }

  end(trailers: Readonly<Record<string, string>>): void {
    if (this.isOver || this.cut !== undefined) return;
    this.trailers = trailers;
    // An empty body is empty in every encoding.
    if (this.chain === undefined) this.body.end(trailers);
    else this.chain[0]?.end();
  }

  /** Decoders work apart from the connection: what came before the failure is handed over before it. */
  fail(error: unknown): void {
    if (this.isOver || this.cut !== undefined) return;
    this.cut = { error };
    this.drain(0);
  }

  /** Empties the decoders from the outermost inwards. A write is called back when all before it is decoded. */
  private drain(at: number): void {
    const decoder = this.chain?.[at];
    if (decoder === undefined || decoder.writableEnded) return this.endCut();
    decoder.write(NO_BYTES, () => {
      if (this.isOver) return;
      // Reading hands over what waits, as a chunk that flows.
      while (decoder.read() !== null);
      this.drain(at + 1);
    });
  }

  private endCut(): void {
    if (this.isOver) return;
    this.stop();
    this.body.fail(this.cut?.error);
  }

  /** The one whose bytes are the body. */
  private innermost(): Transform | undefined {
    return this.chain?.[this.encodings.length - 1];
  }

  /** Undefined when the body cannot be decoded. */
  private open(first: Buffer): Transform | undefined {
    const unknown = this.encodings.find((name) => DECODERS[name] === undefined);
    if (unknown !== undefined || this.encodings.length > ENCODINGS_MAX) {
      this.refuse(
        `The provider answered in an encoding that was not asked for and is not known: ${this.encodings.join(', ').slice(0, 100)}.`,
      );
      return undefined;
    }
    this.chain = [];
    return this.link(this.chain, first);
  }

  /** Adds the next decoder inwards, and those behind it as soon as it has decoded something. */
  private link(chain: Transform[], first: Buffer): Transform {
    const name = this.encodings[this.encodings.length - 1 - chain.length] as string;
    const decoder = (DECODERS[name] as Decoder)(first);
    chain.push(decoder);
    decoder.on('error', (error: Error) => this.refuse('The provider’s answer is not in the encoding that it names.', error));
    if (chain.length === this.encodings.length) {
      decoder.on('data', (chunk: Buffer) => this.take(chunk));
      decoder.on('end', () => this.endBody());
      if (this.isPaused) decoder.pause();
      return decoder;
    }
    decoder.once('data', (chunk: Buffer) => {
      if (this.isOver) return;
      decoder.off('end', endEmpty);
      const next = this.link(chain, chunk);
      next.write(chunk);
      decoder.pipe(next);
    });
    // Nothing in one encoding is nothing in the next.
    const endEmpty = (): void => this.endBody();
    decoder.on('end', endEmpty);
    return decoder;
  }

  private endBody(): void {
    if (!this.isOver) this.body.end(this.trailers);
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    this.decoded += chunk.length;
    if (this.decoded > DECODED_BYTES_FREE && this.decoded > this.received * DECODED_RATIO_MAX) {
      this.refuse(`The provider’s answer grows to more than ${DECODED_RATIO_MAX} times its size when it is decoded.`);
      return;
    }
    this.body.push(chunk);
  }

  private refuse(message: string, cause?: Error): void {
    if (this.isOver) return;
    if (this.cut !== undefined) return this.endCut();
    this.stop();
    this.source.abort();
    this.body.fail(new GatewayError('provider_unreadable', message, { cause }));
  }

  private stop(): void {
    this.isOver = true;
    for (const decoder of this.chain ?? []) decoder.destroy();
  }
}
