import { stringifyExactJson } from '@weir/canonical';
import type { EncodedCall, ProviderTarget } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import type { ImageLane } from '../../provider/media-provider';
import { CANVAS } from './canvas-images';
import { STABILITY } from './stability-images';
import type { ImageFamily } from './image-family';

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
      const text = stringifyExactJson(await family.encodeBody(request, name, losses));
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
