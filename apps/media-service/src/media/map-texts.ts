import type { MediaFile } from '@weir/canonical';
import type { Fields } from './read-fields';

/** Writes a text anew; the same text where there is nothing to write. */
type WriteText = (text: string) => string;
/** A request with its texts written anew; guardrails look through these. */
export type MapTexts<Asked> = (asked: Asked, write: WriteText) => Asked;

const EXTENSION = /\.[A-Za-z0-9]{1,5}$/;

/** A file under the name it may have: its extension stays, providers read it. */
export function mapFileName<File extends MediaFile | undefined>(file: File, write: WriteText): File {
  if (file === undefined) return file;
  const extension = EXTENSION.exec(file.name)?.[0] ?? '';
  const stem = file.name.slice(0, file.name.length - extension.length);
  const written = write(stem);
  if (written === stem) return file;
  return { name: written + extension, type: file.type, size: file.size, read: () => file.read() } as File;
}

/** Fields that no one here has a word for: those that are text. */
export function mapFields<Unmapped extends Fields | undefined>(fields: Unmapped, write: WriteText): Unmapped {
  if (fields === undefined) return fields;
  const written = Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? write(value) : value]);
  return Object.fromEntries(written) as Unmapped;
}
