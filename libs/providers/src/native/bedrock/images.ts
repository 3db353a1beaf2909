import type { ImageReply, ImageRequest, LossReport } from '@weir/canonical';
import type { EncodedCall, ProviderTarget } from '../../provider';
import { unsupported } from '../../failures/unsupported';
import type { ImageLane, MediaReply } from '../../media-provider';
import type { JsonRecord } from '../../wire/json-value';
import { CANVAS } from './canvas-images';
import { STABILITY } from './stability-images';

/** One family of models: invoking a model takes the body that its maker defined. */
export type ImageFamily = {
  readonly names: RegExp;
  readonly countMax: number;
  edits(name: string): boolean;
  encodeBody(request: ImageRequest, name: string, losses: LossReport): Promise<JsonRecord>;
  decodeReply(reply: MediaReply): ImageReply;
};

const FAMILIES = [STABILITY, CANVAS];

/** Pictures by invoking a model with its maker's own body; `place` says where the call goes. */
export function createImageLane(place: (target: ProviderTarget) => Pick<EncodedCall, 'baseUrl'>): ImageLane {
  return {
    countMax: (target) => familyOf(target).countMax,
    edits: (target) => familyOf(target).edits(target.attempt.upstreamModel),
    async encodeRequest(request, target, losses) {
      const family = familyOf(target);
      const name = target.attempt.upstreamModel;
      if (request.images.length > 0 && !family.edits(name)) throw unsupported('image', 'Editing a picture');
      const text = JSON.stringify(await family.encodeBody(request, name, losses));
      return { ...place(target), path: `/model/${encodeURIComponent(name)}/invoke`, body: { kind: 'json', text } };
    },
    decodeReply: (reply, { target }) => familyOf(target).decodeReply(reply),
  };
}

function familyOf({ attempt }: ProviderTarget): ImageFamily {
  const family = FAMILIES.find(({ names }) => names.test(attempt.upstreamModel));
  if (family === undefined) throw unsupported('model', 'Making pictures with this model');
  return family;
}
