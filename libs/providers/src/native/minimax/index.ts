import type { Provider } from '../../provider/provider';
import { createMessagesProvider } from '../anthropic';
import type { NativeAccess } from '../../settings/native-provider';
import { createSpeechLane, SPEECH_PATH } from './speech';

/** Chat speaks the messages dialect and uses that folder's codec; speech has an interface of its own. */
export function createMinimaxProvider(access: NativeAccess): Provider {
  const chat = createMessagesProvider('minimax', access);
  // Chat takes the key as its dialect does, in a header of its own.
  const credential = { authorization: `Bearer ${access.apiKey}` };
  return {
    ...chat,
    modalities: ['chat', 'speech'],
    authorize: (call, target) => (call.path === SPEECH_PATH ? credential : chat.authorize(call, target)),
    speech: createSpeechLane(access.baseUrl, [access.apiKey]),
  };
}
