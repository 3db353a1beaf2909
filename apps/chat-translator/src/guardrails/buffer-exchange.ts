import type { ChatSession } from '../session/chat-session';
import { isExpress, type OpenExchange, type TranslatedExchange } from '../exchange/open-exchange';
import { createReplyContext } from '../exchange/reply-context';
import { bufferForScanners, type ScannedStream } from './buffer-for-scanners';

/** An exchange whose stream is buffered where scanners have to see the reply as a whole. */
export function bufferExchange(session: ChatSession, exchange: OpenExchange): OpenExchange {
  const { guard, dialect } = session;
  if (guard?.needsWholeReplies !== true) return exchange;
  const encode: ScannedStream['encode'] = isExpress(exchange)
    ? (chunks) => Buffer.concat(chunks).toString('utf8')
    : createTranslation(session, exchange as TranslatedExchange);
  const { upstream } = exchange;
  // All of it is content, and comes at its end.
  return {
    ...exchange,
    contentWithinMs: undefined,
    upstream: { ...upstream, body: bufferForScanners(upstream.body, { guard, dialect, encode }) },
  };
}

/** Translates a buffered stream into the caller's dialect; one that breaks as far as it goes. */
function createTranslation(session: ChatSession, exchange: TranslatedExchange): ScannedStream['encode'] {
  return (chunks) => {
    const decoder = exchange.lane.codec.createStreamDecoder(exchange.lane.target);
    const encoder = session.format.createStreamEncoder(createReplyContext(session, exchange));
    let encoded = '';
    try {
      for (const event of [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()]) {
        if (event.type !== 'usage' && event.type !== 'end' && event.type !== 'error') encoded += encoder.encode(event);
      }
    } catch {
      return encoded; // the lane meets the same failure when it decodes the stream, and reports it to the caller
    }
    return encoded;
  };
}
