import { explainFailure, wordsOf } from '../failures/explain-failure';
import { hasFailure } from '../failures/stream-failure';
import { unreadableReply } from '../failures/unsupported';
import type { MediaReply } from '../provider/media-provider';
import { asRecord, parseJson, type JsonRecord } from '../wire/json-value';

/** The JSON object of a whole reply. Throws `provider_unreadable` for anything else. */
export function readJsonObject({ bytes }: Pick<MediaReply, 'bytes'>): JsonRecord {
  const body = asRecord(parseJson(bytes.toString('utf8')));
  if (body === undefined) throw unreadableReply();
  return body;
}

/** The same, for a provider that may send a failure in its place: it is thrown. */
export function readJsonReply(reply: Pick<MediaReply, 'bytes'>): JsonRecord {
  const body = readJsonObject(reply);
  refuseFailure(body);
  return body;
}

/** Throws the failure that a provider sent in the place of a reply. */
export function refuseFailure(body: JsonRecord): void {
  if (hasFailure(body)) throw explainFailure({ status: 502, headers: {}, words: wordsOf(body), secrets: [] });
}
