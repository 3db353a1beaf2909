import { hash } from 'node:crypto';
import type { z } from 'zod';
import { passportTerms, understands, type Passport } from './passport';

/** The header that brings a worker the terms of a short passport: base64url of their text. */
export const TERMS_HEADER = 'x-weir-terms';

/**
 * What the passports of many requests of one caller have in common. They are named by the digest of their text: two sides that
 * name the same terms have them to the letter, prices too, whatever versions of anything else they run.
 */
type AllTerms = z.infer<typeof passportTerms>;

/** As they were read: what is in them serves many requests, so it is frozen. */
export type PassportTerms = {
  /** Members that every passport has. */
  readonly usual: Pick<AllTerms, UsualMember>;
  /** Members that most passports lack; absent where there are none. */
  readonly rare: Readonly<Omit<AllTerms, UsualMember | 'scopes'>> | undefined;
  /** Of the hold. */
  readonly scopes: readonly string[];
};

type UsualMember = 'version' | 'endpointId' | 'caller' | 'modelRequested' | 'stream' | 'attempts' | 'isStrict';

export type WrittenTerms = { readonly text: string; readonly digest: string };

/** Every member, so that the compiler asks for the next one. */
type ToWrite = { readonly [Member in keyof Required<AllTerms>]: AllTerms[Member] };

/** What was written last of a plan's attempts: an edge keeps those of a key and a model, and what goes with them. */
const lastWritten = new WeakMap<Passport['attempts'], { readonly terms: ToWrite; readonly written: WrittenTerms }>();

export function writeTerms(passport: Passport): WrittenTerms {
  const terms = pickTerms(passport);
  const last = lastWritten.get(passport.attempts);
  if (last !== undefined && areSame(last.terms, terms)) return last.written;
  const text = JSON.stringify(terms);
  const written = { text, digest: digestTerms(text) };
  lastWritten.set(passport.attempts, { terms, written });
  return written;
}

/** Members by name: copying all but some costs as much as writing them. */
function pickTerms(passport: Passport): ToWrite {
  return {
    version: passport.version,
    endpointId: passport.endpointId,
    caller: passport.caller,
    modelRequested: passport.modelRequested,
    stream: passport.stream,
    attempts: passport.attempts,
    scopes: passport.hold?.scopes,
    isStrict: passport.isStrict,
    chargesFailures: passport.chargesFailures,
    searchModels: passport.searchModels,
    needs: passport.needs,
    isZeroRetention: passport.isZeroRetention,
    autoCache: passport.autoCache,
    guardrails: passport.guardrails,
    priority: passport.priority,
    shares: passport.shares,
  };
}

/** The same values and objects: those of a plan are never changed. */
function areSame(one: ToWrite, other: ToWrite): boolean {
  for (const name in one) if (one[name as keyof ToWrite] !== other[name as keyof ToWrite]) return false;
  return true;
}

/**
 * Reads terms as a header brought them. Undefined when they have another digest, are no terms, or need what this version does
 * not know.
 */
export function readTerms(header: string, digest: string): PassportTerms | undefined {
  const text = Buffer.from(header, 'base64url').toString();
  if (digestTerms(text) !== digest) return undefined;
  const read = passportTerms.safeParse(JSON.parse(text));
  if (!read.success || !understands(read.data)) return undefined;
  for (const member of Object.values(read.data)) freeze(member);
  const { version, endpointId, caller, modelRequested, stream, attempts, isStrict, scopes = [], ...rare } = read.data;
  const usual = { version, endpointId, caller, modelRequested, stream, attempts, isStrict };
  return { usual, rare: Object.keys(rare).length === 0 ? undefined : rare, scopes };
}

function digestTerms(text: string): string {
  return hash('sha256', text, 'base64url');
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) freeze(member);
  Object.freeze(value);
}
