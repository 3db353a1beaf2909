import { GatewayError } from '@weir/errors';
import { wireFormats } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';
import type { OpenExchange } from '../exchange/open-exchange';
import { encodeFailure } from './encode-failure';
import { splitFrame } from '../frames/edit-nested';

const error = new GatewayError('provider_stream_cut', 'The provider ended its answer before it was complete.');

function fail(begun: Parameters<typeof encodeFailure>[3]): Record<string, unknown> {
  const session = {
    dialect: 'responses',
    format: wireFormats.responses,
    body: { json: {} },
    exact: {},
    asked: () => ({ model: 'vendor/m', turns: [], stream: true }),
    forwarded: { passport: { requestId: 'req' } },
  } as unknown as ChatSession;
  const exchange = { lane: { target: { attempt: { modelId: 'vendor/m' } } } } as unknown as OpenExchange;
  return JSON.parse(splitFrame(encodeFailure(session, exchange, error, begun).trimEnd().split('\n\n').at(-1) ?? '')?.data ?? '') as Record<
    string,
    unknown
  >;
}

describe('encodeFailure in the responses dialect', () => {
  it('continues with the stream’s own number and id, and repeats the items that were finished', () => {
    const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] };
    const firstFrame =
      'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1","created_at":7,"model":"gpt-x","instructions":"say \\"model\\":\\"y\\""}}\n\n';

    expect(fail({ frames: 5, firstFrame, output: [item] })).toMatchObject({
      type: 'response.failed',
      sequence_number: 5,
      response: { id: 'resp_1', created_at: 7, model: 'gpt-x', status: 'failed', error: { code: 'server_error' }, output: [item] },
    });
  });

  it('has an empty output where no item was finished', () => {
    expect(fail({ frames: 0, firstFrame: '', output: [] })).toMatchObject({ type: 'response.failed', response: { output: [] } });
  });
});
