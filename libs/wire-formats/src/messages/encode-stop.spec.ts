import type { FinishReason } from '@weir/canonical';
import type { ReplyContext } from '../dialect/wire-format';
import { encodeStop } from './encode-stop';

const encode = (finish: Partial<FinishReason>, stop?: readonly string[]): unknown => {
  const asked = { model: 'm', turns: [], stream: false, ...(stop === undefined ? {} : { stop }) };
  return encodeStop({ unified: 'stop-sequence', upstream: null, ...finish }, false, { asked } as unknown as ReplyContext)['stop_sequence'];
};

it('names the sequence that was generated, wherever it can be known', () => {
  expect(encode({ stopSequence: 'A' }, ['A', 'B'])).toBe('A');
  expect(encode({}, ['A'])).toBe('A');
  expect(encode({}, ['A', 'B'])).toBeNull();
  expect(encode({})).toBeNull();
  expect(encode({ unified: 'stop' }, ['A'])).toBeNull();
});
