/**
 * A large body that was edited: what stays is not copied, since most of it stays. It is sent piece by piece, or put together by
 * `toString` and `toBytes` for those that look into it.
 */
export class BodyInPieces implements Iterable<Buffer> {
  readonly length: number;

  constructor(private readonly pieces: readonly Buffer[]) {
    this.length = pieces.reduce((length, piece) => length + piece.length, 0);
  }

  [Symbol.iterator](): Iterator<Buffer> {
    return this.pieces[Symbol.iterator]();
  }

  toBytes(): Buffer {
    return Buffer.concat(this.pieces, this.length);
  }

  toString(): string {
    return this.toBytes().toString('utf8');
  }
}

/** The bytes or the text of a body, of which some libraries take no other form. */
export function joinBody(body: string | Buffer | BodyInPieces): string | Buffer {
  return body instanceof BodyInPieces ? body.toBytes() : body;
}
