import { usageEvent, type UsageEvent } from '@weir/contracts';
import { makeUsageEvent } from '@weir/testing';
import { createLikes } from './create-likes';
import { isAlike, seriesDimensions, seriesIdentity } from './dimensions';

const event = makeUsageEvent({ extra: { a: '1', b: '2' } });
const identityOf = (one: UsageEvent): string => seriesIdentity(seriesDimensions(one));
const OTHERS: Partial<UsageEvent> = { modality: 'image', is_byok: true, extra: { a: '1', b: '3' } };

describe('events that are counted alike', () => {
  it.each(Object.keys(usageEvent.shape) as (keyof UsageEvent)[])('are distinguished by %s where series are', (field) => {
    const other = { ...event, [field]: OTHERS[field] ?? 'other' };
    // The key is what they are looked up by.
    if (field === 'api_key_id') return expect(createLikes().find(other, 0)).toBeUndefined();
    expect(isAlike(event, other)).toBe(identityOf(event) === identityOf(other));
  });

  it.each([{}, { a: '1' }, { a: '1', c: '2' }, { a: '1', b: '2', c: '3' }, { a: '2', b: '1' }])(
    'are distinguished by their extra fields %p',
    (extra) => {
      expect(isAlike(event, { ...event, extra })).toBe(false);
      expect(isAlike({ ...event, extra }, event)).toBe(false);
    },
  );

  it('are found by key and hour', () => {
    const likes = createLikes<{ periodStartMs: number; name: string }>();
    likes.note(event, { periodStartMs: 0, name: 'first hour' });
    likes.note(event, { periodStartMs: 1, name: 'second hour' });
    likes.note({ ...event, end_user_id: 'x' }, { periodStartMs: 0, name: 'another user' });
    const twin = structuredClone(event);
    expect([0, 1, 2].map((hour) => likes.find(twin, hour)?.name)).toEqual(['first hour', 'second hour', undefined]);
    expect(likes.find({ ...twin, end_user_id: 'x' }, 0)?.name).toBe('another user');
    expect(likes.find({ ...twin, api_key_id: 'other' }, 0)).toBeUndefined();
  });

  it('are remembered up to a bound, and simply not found beyond it', () => {
    const likes = createLikes<{ periodStartMs: number }>();
    const rows = Array.from({ length: 100 }, (_, at) => ({ user: { ...event, end_user_id: `u${at}` }, row: { periodStartMs: 0 } }));
    for (const { user, row } of rows) likes.note(user, row);
    const found = rows.map(({ user, row }) => [row, likes.find(user, 0)]).filter(([, known]) => known !== undefined);
    expect(found.length).toBeLessThan(20);
    for (const [row, known] of found) expect(known).toBe(row);
  });
});
