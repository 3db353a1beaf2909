import { beginsAnew, EMPTY_LIMIT, fillLimit, findLimitErrors, toLimitBody, type LimitForm } from './limit-form';
import type { Limit } from './limits-queries';

const GROUP = '00000000-0000-4000-8000-000000000001';
const AT = '2026-11-24T00:00:00.000Z';
const form = (part: Partial<LimitForm>): LimitForm => ({ ...EMPTY_LIMIT, name: 'one', amount: '5', ...part });

describe('the form of a limit', () => {
  it('sends what belongs to the scope, measure and action that are chosen', () => {
    const typed = form({ scope: 'group', groupId: GROUP, endUser: 'left over', label: 'team', fallbackModel: 'left over' });

    expect(toLimitBody(typed)).toEqual({
      ...{ name: 'one', scope: 'group', group_id: GROUP, measure: 'usd', window: 'day', amount: '5', action: 'refuse' },
    });
    expect(toLimitBody(form({ measure: 'concurrent_streams', amount: '2' }))).not.toHaveProperty('window');
  });

  it('takes amounts and patterns as people write them', () => {
    const typed = form({ amount: ' $1,000.50 ', models: 'openai/*\n\n openai/*, anthropic/* ', providers: '' });

    expect(toLimitBody(typed)).toMatchObject({ amount: '1000.50', models: ['openai/*', 'anthropic/*'] });
    expect(toLimitBody(typed)).not.toHaveProperty('providers');
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ amount: '' }, 'amount'],
    [{ amount: 'five' }, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ measure: 'tokens', amount: '1.5' }, 'amount'],
    [{ scope: 'api_key_label' }, 'label'],
    [{ action: 'fallback' }, 'fallback_model'],
  ] as const)('refuses %j at its field', (part, field) => {
    expect(Object.keys(findLimitErrors(form(part)))).toEqual([field]);
  });

  it('is filled with a limit, and says when it would begin anew', () => {
    const limit: Limit = {
      ...{ id: 'l-1', name: 'one', version: 3, created_at: AT, updated_at: AT, scope: 'key', measure: 'tokens', window: '30d' },
      ...{ amount: '1000', action: 'fallback', fallback_model: 'sandbox/chat-free', models: ['a/*', 'b/*'], modalities: ['chat'] },
    };
    const filled = fillLimit(limit);

    expect(findLimitErrors(filled)).toEqual({});
    expect(toLimitBody(filled)).toEqual({
      ...{ name: 'one', scope: 'key', measure: 'tokens', window: '30d', amount: '1000', action: 'fallback' },
      ...{ fallback_model: 'sandbox/chat-free', models: ['a/*', 'b/*'], modalities: ['chat'] },
    });
    expect([
      beginsAnew(limit, filled),
      beginsAnew(limit, { ...filled, amount: '7' }),
      beginsAnew(limit, { ...filled, window: 'day' }),
    ]).toEqual([...[false, false, true]]);
  });
});
