import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { encodeFrame } from './syslog';
import { encodeLogs } from './otlp-logs';
import type { LogRecord } from './log-record';
import { openLogSender } from './open-log-sender';

const RECORD: LogRecord = {
  ...{ name: 'weir.audit', atMs: Date.UTC(2026, 10, 24, 5, 0, 0, 7), id: 'audit-7', text: 'api-key update group – “Ünï”' },
  members: { sequence: 7n, ip: null, after: { amount: 1.5, names: ['a', 'b'], on: true }, note: 'line\nbreak' },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};
const PLAIN = { ...RECORD, members: { note: 'x' } };
const SETTINGS = { OTEL_EXPORTER_OTLP_TIMEOUT: 1_000 };

/** Reads frames as RFC 6587 says: a length in bytes, a space, so many bytes. */
function readFrames(bytes: Buffer): string[] {
  const frames: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(' ', at);
    const length = Number(bytes.subarray(at, space).toString());
    frames.push(bytes.subarray(space + 1, space + 1 + length).toString());
    at = space + 1 + length;
  }
  return frames;
}

describe('a record as syslog', () => {
  it('is a line of RFC 5424 after its length in bytes', () => {
    const [frame = ''] = readFrames(Buffer.from(encodeFrame('standalone', PLAIN)));
    const [, head = '', message = ''] =
      /^(<110>1 2026-11-24T05:00:00\.007Z [!-~]+ weir-standalone \d+ audit -) (\{.*\})$/s.exec(frame) ?? [];
    expect(head).not.toBe('');
    expect(JSON.parse(message)).toEqual({ id: 'audit-7', text: PLAIN.text, note: 'x', traceparent: PLAIN.traceparent });
    expect(encodeFrame('standalone', { ...PLAIN, name: 'weir.usage' })).toMatch(/^\d+ <134>1 /);
    expect(frame).not.toContain('\n');
  });
});

describe('a record for a collector', () => {
  it('has its members as attributes, and its span', () => {
    const { resourceLogs } = encodeLogs({ 'service.name': 'weir-standalone' }, [RECORD], 1_795_000_000_000) as {
      resourceLogs: { scopeLogs: { logRecords: object[] }[] }[];
    };
    const expected = {
      timeUnixNano: `${RECORD.atMs}000000`,
      observedTimeUnixNano: '1795000000000000000',
      ...{ severityNumber: 9, severityText: 'INFO', eventName: 'weir.audit', body: { stringValue: RECORD.text } },
      ...{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', flags: 1 },
      attributes: [
        { key: 'log.record.uid', value: { stringValue: 'audit-7' } },
        { key: 'sequence', value: { intValue: '7' } },
        {
          key: 'after',
          value: {
            kvlistValue: {
              values: [
                { key: 'amount', value: { doubleValue: 1.5 } },
                { key: 'names', value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } } },
                { key: 'on', value: { boolValue: true } },
              ],
            },
          },
        },
        { key: 'note', value: { stringValue: 'line\nbreak' } },
      ],
    };
    expect(resourceLogs[0]?.scopeLogs[0]?.logRecords).toEqual([expected]);
  });
});

describe('sending to a receiver of syslog', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function listen(onSocket: (socket: Socket) => void): Promise<string> {
    server = createServer({ allowHalfOpen: true }, onSocket);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('counts records as taken when they were read to the end', async () => {
    const parts: Buffer[] = [];
    const address = await listen((socket) => {
      socket.on('data', (part: Buffer) => void parts.push(part));
      socket.on('end', () => socket.end());
    });
    const records = Array.from({ length: 300 }, (_each, index) => ({ ...PLAIN, id: `audit-${index}` }));
    expect(await openLogSender('standalone', `syslog://${address}`, SETTINGS)(records)).toEqual({ isTaken: true });
    const ids = readFrames(Buffer.concat(parts)).map((frame) => /"id":"([^"]+)"/.exec(frame)?.[1]);
    expect(ids).toEqual(records.map(({ id }) => id));
  });

  it.each([
    ['cuts the connection', (socket: Socket) => void socket.resetAndDestroy()],
    ['reads nothing and does not close', (socket: Socket) => void socket.on('error', () => undefined).pause()],
  ])('does not where it %s', async (_what, onSocket) => {
    const address = await listen(onSocket);
    const send = openLogSender('standalone', `syslog://${address}`, { OTEL_EXPORTER_OTLP_TIMEOUT: 100 });
    expect(await send([PLAIN])).toEqual({ isTaken: false, reason: expect.stringMatching(/ECONNRESET|EPIPE|cut|did not close/) as unknown });
  });

  it('does not where no one listens, or without a certificate that is trusted', async () => {
    const address = await listen((socket) => void socket.on('error', () => undefined).end('no TLS', () => socket.destroy()));
    expect(await openLogSender('standalone', `syslog+tls://${address}`, SETTINGS)([PLAIN])).toMatchObject({ isTaken: false });
    await new Promise((resolve) => server?.close(resolve));
    expect(await openLogSender('standalone', `syslog://${address}`, SETTINGS)([PLAIN])).toEqual({ isTaken: false, reason: 'ECONNREFUSED' });
  });
});
