import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { LogRecord, LogSender, LogSending } from './log-record';

type SyslogTarget = { readonly host: string; readonly port: number; readonly isTls: boolean; readonly timeoutMs: number };

/** Facility and severity in one number: `log audit` and `informational`, `local0` and `informational`. */
const PRIORITIES: Readonly<Record<string, number>> = { 'weir.audit': 13 * 8 + 6, 'weir.usage': 16 * 8 + 6 };
const OTHER_PRIORITY = 16 * 8 + 6;

/**
 * Sends records as RFC 5424 says, each after its length in bytes (RFC 6587), over a connection of their own. Syslog knows no
 * receipt: what stands in its place is that the receiver has read to the end and closes the connection too.
 */
export function createSyslogSender(service: string, target: SyslogTarget): LogSender {
  return (records) => sendFrames(target, records.map((record) => encodeFrame(service, record)).join(''));
}

export function encodeFrame(service: string, { name, atMs, id, text, members, traceparent }: LogRecord): string {
  const message = JSON.stringify({ id, text, ...members, ...(traceparent === undefined ? {} : { traceparent }) });
  const kind = name.replace(/^weir\./, '');
  const head = `<${PRIORITIES[name] ?? OTHER_PRIORITY}>1 ${new Date(atMs).toISOString()} ${nameHost()} weir-${service} ${process.pid} ${kind} -`;
  const line = `${head} ${message}`;
  return `${Buffer.byteLength(line)} ${line}`;
}

/** Printable ASCII, as the head of a message has to be. */
function nameHost(): string {
  return hostname().replace(/[^\x21-\x7e]/g, '_') || '-';
}

function sendFrames({ host, port, isTls, timeoutMs }: SyslogTarget, frames: string): Promise<LogSending> {
  return new Promise((resolve) => {
    const socket: Socket = isTls
      ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
      : connectPlain({ host, port });
    let failure: string | undefined;
    const fail = (reason: string): void => {
      failure ??= reason;
      socket.destroy();
    };
    const timer = setTimeout(() => fail(`the receiver did not close the connection within ${timeoutMs} ms`), timeoutMs);
    socket.once(isTls ? 'secureConnect' : 'connect', () => socket.end(frames));
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    // Whatever it replies is read, so that its end is seen.
    socket.resume();
    let hasEnded = false;
    socket.on('end', () => (hasEnded = true));
    socket.on('close', () => {
      clearTimeout(timer);
      const reason = failure ?? (hasEnded && socket.writableFinished ? undefined : 'the connection was cut');
      resolve(reason === undefined ? { isTaken: true } : { isTaken: false, reason });
    });
  });
}
