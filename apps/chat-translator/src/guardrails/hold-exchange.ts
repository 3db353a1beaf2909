import type { ChatSession } from '../chat/chat-session';
import { isExpress, type OpenExchange, type TranslatedExchange } from '../chat/open-exchange';
import { createReplyContext } from '../chat/reply-context';
import { holdForScanners, type HeldStream } from './hold-for-scanners';

/** An exchange whose stream is held back where scanners have to see the answer as a whole. */
export function holdExchange(session: ChatSession, exchange: OpenExchange): OpenExchange {
  const { guard, dialect } = session;
  if (guard?.needsWholeReplies !== true) return exchange;
  const report: HeldStream['report'] = isExpress(exchange)
    ? (chunks) => Buffer.concat(chunks).toString('utf8')
    : createTeller(session, exchange as TranslatedExchange);
  const { upstream } = exchange;
  return { ...exchange, upstream: { ...upstream, body: holdForScanners(upstream.body, { guard, dialect, report }) } };
}

/** Tells a stream of another dialect; one that breaks as far as it goes. */
function createTeller(session: ChatSession, exchange: TranslatedExchange): HeldStream['report'] {
  return (chunks) => {
    const decoder = exchange.lane.codec.createStreamDecoder(exchange.lane.target);
    const encoder = session.format.createStreamEncoder(createReplyContext(session, exchange));
    let reported = '';
    try {
      for (const event of [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()]) {
        if (event.type !== 'usage' && event.type !== 'end' && event.type !== 'error') reported += encoder.encode(event);
      }
    } catch {
      return reported; // its own reading of the stream fails as well, and tells the caller
    }
    return reported;
  };
}
