/** What is to become vectors: texts, or texts the caller has cut into tokens already. */
export type EmbeddingInputs =
  | { readonly kind: 'texts'; readonly items: readonly string[] }
  | { readonly kind: 'tokens'; readonly items: readonly (readonly number[])[] };

export type EmbeddingRequest = {
  readonly model: string;
  readonly inputs: EmbeddingInputs;
  /** Length of the vectors; absent for the model's own. */
  readonly dimensions?: number;
  readonly encodingFormat: 'float' | 'base64';
  readonly endUserId?: string;
  /** Fields that this language has no word for, by name; reported when they are lost. */
  readonly unmapped?: Readonly<Record<string, unknown>>;
};

/** Numbers, or their float32 values in little-endian order as base64. */
export type EmbeddingVector = readonly number[] | string;

export type EmbeddingReply = {
  /** In the order of the inputs. */
  readonly vectors: readonly EmbeddingVector[];
  /** Null when the provider reported none. */
  readonly promptTokens: number | null;
};

const BYTES_PER_FLOAT = 4;
/** With this many significant digits, no two float32 values look the same. */
const FLOAT_DIGITS = 9;

/** The vector as base64; one that is base64 already stays as it is. */
export function packVector(vector: EmbeddingVector): string {
  if (typeof vector === 'string') return vector;
  const bytes = Buffer.allocUnsafe(vector.length * BYTES_PER_FLOAT);
  for (let index = 0; index < vector.length; index += 1) bytes.writeFloatLE(vector[index] as number, index * BYTES_PER_FLOAT);
  return bytes.toString('base64');
}

/** The vector as numbers. Throws RangeError for text that is not base64 of whole float32 values. */
export function unpackVector(vector: EmbeddingVector): readonly number[] {
  if (typeof vector !== 'string') return vector;
  const bytes = Buffer.from(vector, 'base64');
  if (bytes.length === 0 || bytes.length % BYTES_PER_FLOAT !== 0) throw new RangeError('not a packed vector');
  const numbers = new Array<number>(bytes.length / BYTES_PER_FLOAT);
  for (let index = 0; index < numbers.length; index += 1) {
    numbers[index] = Number(bytes.readFloatLE(index * BYTES_PER_FLOAT).toPrecision(FLOAT_DIGITS));
  }
  return numbers;
}
