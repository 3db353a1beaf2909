import { stringifyExactJson, SPEECH_FORMATS, type SpeechRequest } from '@weir/canonical';
import type { ProviderTarget } from '../../provider/target';
import { unsupported } from '../../failures/unsupported';
import type { SpeechLane } from '../../provider/media-provider';
import { createAudioPass } from '../../media/pass-audio';
import { withoutUndefined } from '../../wire/json-value';
import type { CompatibleProvider } from '../rules/compatible-provider.schema';
import { applyEdits } from './apply-edits';
import type { PlaceMedia } from './create-image-lane';
import { createSpeechEventDecoder } from './decode-speech';
import { rulesOfModel, type SpeechRules } from '../rules/media-rules.schema';

/** Speech as OpenAI makes it. */
export function createSpeechLane(provider: CompatibleProvider, place: PlaceMedia): SpeechLane | undefined {
  const { speech: path } = provider.endpoints;
  if (path === undefined) return undefined;
  const rulesFor = ({ attempt }: ProviderTarget): SpeechRules => rulesOfModel(provider.speech, attempt.upstreamModel);
  return {
    formats: (target) => rulesFor(target).formats ?? SPEECH_FORMATS,
    encodeRequest(request, target, losses) {
      const rules = rulesFor(target);
      checkRequest(request, rules);
      const fields = withoutUndefined({
        model: target.attempt.upstreamModel,
        input: request.input,
        voice: request.isVoiceId === true ? { id: request.voice } : request.voice,
        instructions: request.instructions,
        response_format: request.format,
        speed: request.speed === 1 ? undefined : request.speed,
        stream_format: wantsEvents(request, target, rules) ? 'sse' : undefined,
        ...request.unmapped,
      });
      return place({ path, body: { kind: 'json', text: stringifyExactJson(applyEdits(fields, rules, losses)) } }, target);
    },
    createDecoder: (_sent, headers) =>
      String(headers['content-type'] ?? '').includes('text/event-stream') ? createSpeechEventDecoder() : createAudioPass(headers),
  };
}

function checkRequest(request: SpeechRequest, { voices, inputMax, refusesEvents }: SpeechRules): void {
  const { input, instructions = '', voice, isVoiceId } = request;
  if (inputMax !== undefined && input.length > inputMax) throw unsupported('input', `Text of more than ${inputMax} characters`);
  if (inputMax !== undefined && instructions.length > inputMax)
    throw unsupported('instructions', `Instructions of more than ${inputMax} characters`);
  if (voices !== undefined && isVoiceId !== true && !voices.includes(voice)) {
    throw unsupported('voice', `The voice ${JSON.stringify(voice.slice(0, 100))} (there are: ${voices.join(', ')})`);
  }
  if (refusesEvents === true && request.streamFormat === 'sse') throw unsupported('stream_format', 'Speech as a stream of events');
}

/** Only events report how many tokens it took. */
function wantsEvents(request: SpeechRequest, { attempt }: ProviderTarget, { hasEvents }: SpeechRules): boolean {
  if (hasEvents !== true) return false;
  return request.streamFormat === 'sse' || (attempt.prices.kind === 'units' && Object.hasOwn(attempt.prices.units, 'output_token'));
}
