import { createHash } from 'node:crypto';
import { type JsonRecord, asArray, packVector } from '@weir/canonical';
import { countTokens } from '../endpoint/count-tokens';
import { nameModel } from '../endpoint/name-model';
import { readDirectives, type Directives } from '../endpoint/read-directives';

const INPUT_LENGTH_MAX = 1_000_000;
const DIMENSIONS = 1536;
const DIMENSIONS_MAX = 4096;
/** Enough for vectors of length one, and short to read. */
const STEPS_PER_UNIT = 1e8;

/** So many vectors are made at a time; others have their turn in between. */
const VECTORS_AT_ONCE = 16;

/** One vector for each input: of length one, the same for the same input, and different for any other. */
export async function encodeEmbeddings(body: JsonRecord, hidesUsage: boolean): Promise<string> {
  const inputs = listInputs(body['input']);
  const dimensions = typeof body['dimensions'] === 'number' ? body['dimensions'] : DIMENSIONS;
  const isPacked = body['encoding_format'] === 'base64';
  const data: string[] = [];
  let tokens = 0;
  for (const [index, input] of inputs.entries()) {
    if (index % VECTORS_AT_ONCE === VECTORS_AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    const vector = makeVector(input, dimensions);
    data.push(JSON.stringify({ object: 'embedding', index, embedding: isPacked ? packVector(vector) : vector }));
    tokens += typeof input === 'string' ? countTokens(input) : input.length;
  }
  const usage = hidesUsage ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } };
  return `{"object":"list","data":[${data.join(',')}],${JSON.stringify({ model: nameModel(body), ...usage }).slice(1)}`;
}

/** Says what is wrong with a request; undefined for one that can be answered. */
export function findEmbeddingFault(body: JsonRecord): string | undefined {
  const inputs = listInputs(body['input']);
  if (inputs.length === 0) return 'The body must be an object with input.';
  if (inputs.some((input) => typeof input === 'string' && input.length > INPUT_LENGTH_MAX)) {
    return `An input of this model has no more than ${INPUT_LENGTH_MAX} characters.`;
  }
  const { dimensions } = body;
  if (typeof dimensions === 'number' && dimensions > DIMENSIONS_MAX) return `This model has no more than ${DIMENSIONS_MAX} dimensions.`;
  return undefined;
}

/** Directives of an embedding request stand in its first text. */
export function readFirstDirectives(body: JsonRecord): Directives {
  const [first] = listInputs(body['input']);
  return readDirectives(typeof first === 'string' ? first : '');
}

function listInputs(input: unknown): (string | readonly unknown[])[] {
  if (typeof input === 'string') return [input];
  const items = asArray(input);
  if (typeof items[0] === 'number') return [items];
  return items.filter((item) => typeof item === 'string' || Array.isArray(item));
}

function makeVector(input: string | readonly unknown[], dimensions: number): number[] {
  const seed = createHash('sha256').update(JSON.stringify(input)).digest();
  const next = createNoise(seed.readUInt32LE(0));
  const raw = Array.from({ length: dimensions }, next);
  const length = Math.hypot(...raw) || 1;
  return raw.map((value) => Math.round((value / length) * STEPS_PER_UNIT) / STEPS_PER_UNIT);
}

/** Numbers between -1 and 1 that follow from the seed alone (mulberry32). */
function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}
