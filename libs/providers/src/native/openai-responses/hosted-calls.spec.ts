import { NO_USAGE } from '@weir/canonical';
import { addHostedCalls } from './hosted-calls';

describe('addHostedCalls', () => {
  it('counts searches, and believes a provider that counts more itself', () => {
    const output = [{ type: 'web_search_call', status: 'completed' }, null];

    expect(addHostedCalls({ ...NO_USAGE, searches: 3 }, output)?.searches).toBe(3);
    expect(addHostedCalls(NO_USAGE, output)?.searches).toBe(1);
    expect(addHostedCalls(NO_USAGE, 'nothing')).toBe(NO_USAGE);
    expect(addHostedCalls(null, output)).toBeNull();
  });

  it.each(['file_search_call', 'code_interpreter_call', 'image_generation_call'])(
    'takes a cost without the fee of a %s for an estimate',
    (type) => {
      expect(addHostedCalls(NO_USAGE, [{ type: 'message' }, { type, status: 'completed' }])).toEqual({ ...NO_USAGE, source: 'estimate' });
      expect(addHostedCalls(NO_USAGE, [{ type, status: 'failed' }])).toBe(NO_USAGE);
    },
  );

  it('takes calls that cost nothing for what they are', () => {
    expect(
      addHostedCalls(NO_USAGE, [
        { type: 'mcp_call', status: 'completed' },
        { type: 'function_call', status: 'completed' },
      ]),
    ).toBe(NO_USAGE);
  });
});
