import { NO_MEDIA_USAGE, type SpeechDecoder, type SpeechEvent } from '@weir/canonical';
import { unreadableReply } from '../failures/unsupported';
import type { MediaReply } from '../provider/media-provider';

/** Content types of replies that hold no sound, whatever their status says. */
const NO_SOUND = /^(application\/(problem\+)?json|text\/)/i;
const COUNT = /^\d{1,9}$/;

/**
 * Speech that comes as the bytes of a file. `countHeader` names the header in which the provider reports how many
 * characters it charges for; where there is none, no usage is reported.
 */
export function createAudioPass(headers: MediaReply['headers'], countHeader?: string): SpeechDecoder {
  const type = headers['content-type'];
  const isSound = typeof type !== 'string' || !NO_SOUND.test(type);
  let size = 0;
  return {
    reportsUsage: countHeader !== undefined,
    push(bytes) {
      if (!isSound) throw unreadableReply();
      size += bytes.length;
      return bytes.length === 0 ? [] : [{ type: 'audio', bytes }];
    },
    end() {
      if (size === 0) throw unreadableReply();
      return countHeader === undefined ? [] : readCount(headers[countHeader]);
    },
  };
}

function readCount(reported: string | string[] | undefined): SpeechEvent[] {
  if (typeof reported !== 'string' || !COUNT.test(reported)) return [];
  return [{ type: 'usage', usage: { ...NO_MEDIA_USAGE, characters: Number(reported) } }];
}
