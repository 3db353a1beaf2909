import type { Provider } from '../../provider/provider';
import type { EncodedCall } from '../../provider/target';
import { createMediaProvider } from '../../media/create-media-provider';
import type { NativeAccess } from '../../settings/native-provider';
import { readError } from './read-error';
import { speechLane } from './speech';
import { transcriptionLane } from './transcription';
import { VOICES } from './voices';

/** Speech is asked of a model that is not there. */
const encodeProbe = (model: string): EncodedCall => ({
  path: `/text-to-speech/${VOICES['sarah'] ?? ''}`,
  body: JSON.stringify({ text: 'hi', model_id: model }),
});

const signRequest = (apiKey: string): Record<string, string> => ({ 'xi-api-key': apiKey });

/** Speech and transcription, and no chat. */
export function createElevenlabsProvider(access: NativeAccess): Provider {
  return createMediaProvider(
    { id: 'elevenlabs', signRequest, readError, encodeProbe, speech: speechLane, transcription: transcriptionLane },
    access,
  );
}
