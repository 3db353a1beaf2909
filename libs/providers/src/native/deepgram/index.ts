import type { Provider } from '../../provider/provider';
import type { EncodedCall } from '../../provider/target';
import { createMediaProvider } from '../../media/create-media-provider';
import type { NativeAccess } from '../../settings/native-provider';
import { readError } from './read-error';
import { speechLane } from './speech';
import { transcriptionLane } from './transcription';

/** Speech is asked of a model that is not there. */
const encodeProbe = (model: string): EncodedCall => ({ path: `/speak?model=${model}`, body: JSON.stringify({ text: 'hi' }) });

const signRequest = (apiKey: string): Record<string, string> => ({ authorization: `Token ${apiKey}` });

/** Speech and transcription, and no chat. */
export function createDeepgramProvider(access: NativeAccess): Provider {
  return createMediaProvider(
    { id: 'deepgram', signRequest, readError, encodeProbe, speech: speechLane, transcription: transcriptionLane },
    access,
  );
}
