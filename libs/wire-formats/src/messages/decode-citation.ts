import type { Citation } from '@weir/canonical';
import { dropAbsent } from '../fields/drop-absent';
import { readObject } from '../fields/field-readers';
import { MESSAGES_FAMILY } from '../state/native-family';

export function decodeCitation(value: unknown, path: string): Citation {
  const raw = readObject(value, path);
  const text = (key: string): string | undefined => (typeof raw[key] === 'string' ? (raw[key] as string) : undefined);
  return {
    ...dropAbsent({ url: text('url'), title: text('title') ?? text('document_title'), citedText: text('cited_text') }),
    original: { family: MESSAGES_FAMILY, raw },
  };
}
