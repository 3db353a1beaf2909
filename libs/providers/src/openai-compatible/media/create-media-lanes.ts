import type { Provider } from '../../provider/provider';
import { planMemberRules, refuseChoosing } from '../../members/member-rules';
import { withoutUndefined } from '../../wire/json-value';
import type { CompatibleProvider } from '../rules/compatible-provider.schema';
import { createImageLane, type PlaceMedia } from './create-image-lane';
import { createSpeechLane } from './create-speech-lane';
import { createTranscriptionLane } from './create-transcription-lane';
import { createWorkflowImageLane } from './create-workflow-image-lane';

type MediaLanes = Pick<Provider, 'images' | 'speech' | 'transcription'>;

/** The lanes that a provider has addresses for. */
export function createMediaLanes(provider: CompatibleProvider, place: PlaceMedia): MediaLanes {
  const rules = planMemberRules('embeddings', provider.members);
  const images = createImages(provider, place);
  const speech = createSpeechLane(provider, place);
  const transcription = createTranscriptionLane(provider, place);
  return withoutUndefined({
    images: images && {
      ...images,
      encodeRequest: (request, target, losses) => {
        refuseChoosing(Object.entries(request.unmapped ?? {}), rules);
        return images.encodeRequest(request, target, losses);
      },
    },
    speech: speech && {
      ...speech,
      encodeRequest: (request, target, losses) => {
        refuseChoosing(Object.entries(request.unmapped ?? {}), rules);
        return speech.encodeRequest(request, target, losses);
      },
    },
    transcription: transcription && {
      ...transcription,
      encodeRequest: (request, target, losses) => {
        refuseChoosing(
          (request.unmapped ?? []).map(({ name, value }) => [name, value]),
          rules,
        );
        return transcription.encodeRequest(request, target, losses);
      },
    },
  } satisfies { [Lane in keyof MediaLanes]: MediaLanes[Lane] | undefined });
}

/** An address that names the model is that of a workflow. */
function createImages(provider: CompatibleProvider, place: PlaceMedia): MediaLanes['images'] {
  const { image: path } = provider.endpoints;
  return path?.includes('{model}') === true ? createWorkflowImageLane(path, place) : createImageLane(provider, place);
}

/** The same lanes on another host: `place` sets where a call goes. */
export function placeMediaLanes({ images, speech, transcription }: MediaLanes, place: PlaceMedia): MediaLanes {
  return withoutUndefined({
    images: images && {
      ...images,
      encodeRequest: async (request, target, losses) => place(await images.encodeRequest(request, target, losses), target),
    },
    speech: speech && {
      ...speech,
      encodeRequest: (request, target, losses) => place(speech.encodeRequest(request, target, losses), target),
    },
    transcription: transcription && {
      ...transcription,
      encodeRequest: async (request, target, losses) => place(await transcription.encodeRequest(request, target, losses), target),
    },
  } satisfies { [Lane in keyof MediaLanes]: MediaLanes[Lane] | undefined });
}
