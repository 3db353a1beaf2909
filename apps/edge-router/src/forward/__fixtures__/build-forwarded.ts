import type { Attempt, Passport } from '@weir/contracts';
import { EventEmitter } from 'node:events';
import type { AdmittedRequest } from '../forward-in-process';

type ForwardedCase = {
  readonly admitted: AdmittedRequest;
  /** What the caller was sent, in order. */
  readonly reported: string[];
  readonly headers: Record<string, unknown>;
  /** Whether the head was sent before there was any of the body. */
  wasHeadAlone(): boolean;
  /** The caller closes the connection. */
  leave(): void;
};

/** A request on its way to a worker, whose caller records what it is sent. */
export function buildForwarded(
  more: Partial<Omit<AdmittedRequest, 'passport'>> & { readonly attempts?: readonly Attempt[] } = {},
): ForwardedCase {
  const { attempts = [], ...members } = more;
  const headers: Record<string, unknown> = {};
  const reported: string[] = [];
  let isHeadAlone = false;
  const sendHead = (): void => {
    response.headersSent = true;
    reported.push(String(response.statusCode));
  };
  const response = Object.assign(new EventEmitter(), {
    statusCode: 0,
    destroyed: false,
    setHeader: (name: string, value: unknown) => void (headers[name] = value),
    headersSent: false,
    flushHeaders: () => {
      isHeadAlone = true;
      sendHead();
    },
    write: (chunk: Buffer) => {
      if (!response.headersSent) sendHead();
      return reported.push(chunk.toString()) > 0;
    },
    end: () => void response.emit('close'),
    destroy: () => void reported.push('cut'),
  });
  const passport: Passport = {
    ...{ requestId: '01a203c4-52cc-7a34-9eb7-1d4f22aa99ee', endpointId: 'chat-completions', admittedAtMs: 0, deadlineMs: 1000 },
    ...{ version: 1, modelRequested: 'v/m', attempts: [...attempts], stream: true, isStrict: false, hold: null },
    ...{ originTitle: null, endUserId: null, traceId: null, extra: {} },
    caller: { organizationId: 'o', apiKeyId: 'k', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
  };
  const admitted = { passport, body: Buffer.from('{}'), headers: {}, response, notes: {}, ...members } as unknown as AdmittedRequest;
  const leave = (): void => {
    response.destroyed = true;
    response.emit('close');
  };
  return { admitted, reported, headers, wasHeadAlone: () => isHeadAlone, leave };
}
