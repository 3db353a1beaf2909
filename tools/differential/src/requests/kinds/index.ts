import type { Kind } from '../request';
import { BAD_REQUEST_KINDS } from './bad-requests';
import { CHAT_KINDS } from './chat';
import { CONTENT_KINDS } from './contents';
import { DELIVERY_KINDS } from './deliveries';
import { FAILURE_KINDS } from './failures';
import { KEY_KINDS } from './keys';
import { LEAVING_KINDS } from './leaving';
import { MEDIA_KINDS } from './media';
import { METADATA_KINDS } from './metadata';
import { ODD_BODY_KINDS } from './odd-bodies';
import { REPLAY_KINDS } from './replays';
import { RULE_KINDS } from './rules';

/** All kinds of requests; a new one is a row in one of these lists. */
export const KINDS: readonly Kind[] = [
  ...CHAT_KINDS,
  ...DELIVERY_KINDS,
  ...CONTENT_KINDS,
  ...MEDIA_KINDS,
  ...KEY_KINDS,
  ...RULE_KINDS,
  ...FAILURE_KINDS,
  ...BAD_REQUEST_KINDS,
  ...ODD_BODY_KINDS,
  ...REPLAY_KINDS,
  ...METADATA_KINDS,
  ...LEAVING_KINDS,
];
