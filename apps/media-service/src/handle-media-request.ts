import { getEndpoint } from '@weir/contracts';
import { ClientGone, noteAttempts, openCharges, watchRequest, type WatchedRequest } from '@weir/exchange';
import type { WorkerHandler } from '@weir/http-server';
import { describeUnmetered, openAttempt, watchVerdict, type OpenAttempt } from '@weir/meter';
import { invariant } from '@weir/errors';
import { IMAGES } from './images/image-modality';
import { SPEECH } from './speech/speech-modality';
import { TRANSCRIPTION } from './transcription/transcription-modality';
import type { MediaModality, MediaParts } from './media/media-modality';

type ModalityHandler = (request: WatchedRequest, parts: MediaParts) => Promise<void>;

const HANDLERS: Readonly<Record<string, ModalityHandler>> = {
  image: createModalityHandler(IMAGES),
  speech: createModalityHandler(SPEECH),
  transcription: createModalityHandler(TRANSCRIPTION),
};

/** The life of a request for images, speech or a transcription, of which `createModalityHandler` has the steps. */
export function createMediaHandler(parts: MediaParts): WorkerHandler {
  return async (forwarded) => {
    if (!parts.isMeteringReady()) throw describeUnmetered();
    const handle = HANDLERS[getEndpoint(forwarded.passport.endpointId).modality ?? ''];
    invariant(handle !== undefined, `endpoint ${forwarded.passport.endpointId} is about media`);
    const request = watchRequest(forwarded, parts.now);
    try {
      await handle(request, parts);
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
    } finally {
      request.close();
    }
  };
}

/** Reads the request, runs attempts until a reply begins, and sends that; attempts settle on the way. */
function createModalityHandler<Asked>(modality: MediaModality<Asked>): ModalityHandler {
  return async (request, parts) => {
    const { forwarded } = request;
    const { meter, reportsOutcomes, log } = parts;
    const { asked, guard } = await parts.guardRequest(await modality.decode(request, parts), modality.mapTexts, request);
    const openUnsent = (index: number): OpenAttempt =>
      watchVerdict(openAttempt(meter, forwarded.passport, { index, promptEstimate: 0 }), guard);
    const charges = openCharges(forwarded);
    const { opened } = await parts.runner.run(
      forwarded.passport,
      (place) => modality.open({ request, asked, place, charges, guard, log }, parts),
      noteAttempts(forwarded, { reportsOutcomes, openUnsent }),
    );
    await opened.send();
  };
}
