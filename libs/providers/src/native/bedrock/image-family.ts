import type { ImageReply, ImageRequest, LossReport } from '@weir/canonical';
import type { MediaReply } from '../../provider/media-provider';
import type { JsonRecord } from '../../wire/json-value';

/** One family of models: invoking a model takes the body that its maker defined. */
export type ImageFamily = {
  readonly names: RegExp;
  readonly countMax: number;
  edits(name: string): boolean;
  encodeBody(request: ImageRequest, name: string, losses: LossReport): Promise<JsonRecord>;
  decodeReply(reply: MediaReply): ImageReply;
};
