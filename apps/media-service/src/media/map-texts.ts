import { isExactNumber, stringifyExactJson, type MediaFile } from '@weir/canonical';

/** Writes a text anew; the same text where there is nothing to write. `isFixed`: nothing can stand in its place. */
export type WriteText = (text: string, isFixed?: boolean) => string;

const EXTENSION = /\.[A-Za-z0-9]{1,5}$/;

/**
 * What a request says that is not looked at: each is one of the words that its decoder knows, a code or a size that it has checked, or
 * the model, in place of which a provider gets its own name for it.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['model', 'task', 'format', 'language', 'size', 'quality', 'background', 'outputFormat', 'moderation', 'style', 'inputFidelity'],
  ...['responseFormat', 'streamFormat', 'timestampGranularities', 'include'],
]);
/** What cannot be masked: names that providers know, and bytes, which are no text as long as they are base64. */
const FIXED: ReadonlySet<string> = new Set(['voice', 'chunkingStrategy', 'reference']);
const BYTES = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+(?:=[\w.+-]*)?)*;base64,/;
const NOT_BASE64 = /[^\w+/=-]/;

type Place = {
  readonly isFixed: boolean;
  /** Names of members are the caller's, and numbers may say something. */ readonly isFree: boolean;
};

/**
 * A request in the neutral language with its texts written anew; guardrails look through these. Everything that is sent is made of
 * it, and all of it is looked at that is not in the list above.
 */
export function mapTexts<Asked extends object>(asked: Asked, write: WriteText): Asked {
  const map = (value: unknown, place: Place): unknown => {
    if (isExactNumber(value)) return mapNumber(value, stringifyExactJson(value), place);
    if (typeof value === 'string') return isBytes(value) ? value : write(value, place.isFixed);
    if (typeof value === 'number') return mapNumber(value, String(value), place);
    if (Array.isArray(value)) return value.map((element) => map(element, place));
    if (typeof value !== 'object' || value === null) return value;
    if (isFile(value)) return mapFileName(value, write);
    return mapMembers(value, place);
  };
  const mapNumber = (value: unknown, digits: string, { isFree }: Place): unknown => {
    if (isFree) write(digits, true);
    return value;
  };
  const mapMembers = (object: object, place: Place): object =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => {
        if (place.isFree) write(name, true);
        const isFree = place.isFree || name === 'unmapped';
        if (!isFree && LEFT_OUT.has(name)) return [name, value as unknown];
        return [name, map(value, { isFree, isFixed: place.isFixed || (!isFree && FIXED.has(name)) })];
      }),
    );
  return mapMembers(asked, { isFixed: false, isFree: false }) as Asked;
}

function isBytes(text: string): boolean {
  const prefix = BYTES.exec(text.slice(0, 256))?.[0];
  return prefix !== undefined && !NOT_BASE64.test(text.slice(prefix.length));
}

function isFile(value: object): value is MediaFile {
  return 'read' in value && typeof value.read === 'function';
}

/** A file under the name it may have: its extension stays, providers read it. */
function mapFileName(file: MediaFile, write: WriteText): MediaFile {
  const extension = EXTENSION.exec(file.name)?.[0] ?? '';
  const stem = file.name.slice(0, file.name.length - extension.length);
  const written = write(stem);
  if (written === stem) return file;
  return { name: written + extension, type: file.type, size: file.size, read: () => file.read() };
}
