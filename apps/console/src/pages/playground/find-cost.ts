import { api, unwrap } from '../../api';

const TRIES = 8;
const PAUSE_MS = 1500;

/** The cost of a request, once usage knows it; null where it does not within some seconds. */
export async function findCost(requestId: string): Promise<string | null> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    // Usage is counted a moment after the reply.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    try {
      const { generation } = await unwrap(api.GET('/v1/generation/{request_id}', { params: { path: { request_id: requestId } } }));
      return generation.cost;
    } catch {
      // Not counted yet.
    }
  }
  return null;
}
