import { getEndpoint } from '@weir/contracts';
import { ClientGone, noteAttempts, openCharges, watchRequest, type WatchedRequest } from '@weir/exchange';
import type { WorkerHandler } from '@weir/http-server';
import { describeUnmetered, openAttempt, watchVerdict, type OpenAttempt } from '@weir/usage-journal';
import { invariant } from '@weir/errors';
import { IMAGES } from '../images/images-kind';
import { SPEECH } from '../speech/speech-kind';
import { TRANSCRIPTION } from '../transcription/transcription-kind';
import type { MediaKind, MediaParts } from './media-kind';

type RequestState = (request: WatchedRequest, parts: MediaParts) => Promise<void>;

const STORIES: Readonly<Record<string, RequestState>> = {
  image: report(IMAGES),
  speech: report(SPEECH),
  transcription: report(TRANSCRIPTION),
};

/** THE story of a request about pictures or sound: read it, run attempts until one answers, send the reply, settle on the way. */
export function createMediaHandler(parts: MediaParts): WorkerHandler {
  return async (forwarded) => {
    if (!parts.isMeteringReady()) throw describeUnmetered();
    const story = STORIES[getEndpoint(forwarded.passport.endpointId).modality ?? ''];
    invariant(story !== undefined, `endpoint ${forwarded.passport.endpointId} is about media`);
    const request = watchRequest(forwarded, parts.now);
    try {
      await story(request, parts);
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
    } finally {
      request.close();
    }
  };
}

function report<Asked>(kind: MediaKind<Asked>): RequestState {
  return async (request, parts) => {
    const { forwarded } = request;
    const { meter, reportsOutcomes, log } = parts;
    const { asked, guard } = await parts.guardAsked(await kind.decode(request, parts), kind.mapTexts, request);
    const openUnsent = (index: number): OpenAttempt =>
      watchVerdict(openAttempt(meter, forwarded.passport, { index, promptEstimate: 0 }), guard);
    const charges = openCharges(forwarded);
    const { opened } = await parts.runner.run(
      forwarded.passport,
      (turn) => kind.open({ request, asked, turn, charges, guard, log }, parts),
      noteAttempts(forwarded, { reportsOutcomes, openUnsent }),
    );
    await opened.send();
  };
}
