import type { Attempt, Modality } from '@weir/contracts';
import { planOwnKeys, widenMap, type OwnKey } from './plan-own-keys';

const attempt = (providerId: string): Attempt => ({
  modelId: `${providerId}/model`,
  providerId,
  upstreamModel: 'model',
  region: null,
  prices: { kind: 'units', version: 'v1', units: {} },
  isByok: false,
  isFree: false,
});
const key = (providerId: string, credential: string, mode: OwnKey['mode'] = 'prefer'): OwnKey => ({
  id: `id of ${credential}`,
  name: `name of ${credential}`,
  providerId,
  mode,
  modalities: ['chat'],
  credential,
});
const always = () => true;
const never = () => false;
const reported = (attempts: readonly Attempt[]) => attempts.map(({ providerId, isByok, credential }) => [providerId, isByok, credential]);

describe('planOwnKeys', () => {
  it('leaves a plan alone that no own key is for', () => {
    const attempts = [attempt('acme')] as const;

    expect(planOwnKeys(attempts, [], always)).toBe(attempts);
    expect(planOwnKeys(attempts, [key('other', 'sealed')], always)).toEqual(attempts);
  });

  it('tries own keys first and the gateway’s account after them', () => {
    const plan = planOwnKeys([attempt('acme'), attempt('other')], [key('acme', 'one'), key('acme', 'two')], always);

    expect(reported(plan)).toEqual([
      ['acme', true, 'one'],
      ['acme', true, 'two'],
      ['acme', false, undefined],
      ['other', false, undefined],
    ]);
  });

  it('never uses the gateway’s account when one key says only, or when there is none', () => {
    expect(reported(planOwnKeys([attempt('acme')], [key('acme', 'one'), key('acme', 'two', 'only')], always))).toEqual([
      ['acme', true, 'one'],
      ['acme', true, 'two'],
    ]);
    expect(reported(planOwnKeys([attempt('acme')], [key('acme', 'one')], never))).toEqual([['acme', true, 'one']]);
  });

  it('stays within what a passport can hold, and keeps the first key whatever it takes', () => {
    const many = Array.from({ length: 6 }, (_, index) => attempt(`acme${index}`)) as [Attempt, ...Attempt[]];
    const keys = many.map(({ providerId }) => key(providerId, `sealed ${providerId}`));
    expect(planOwnKeys(many, keys, always)).toHaveLength(10);

    const large = planOwnKeys([attempt('acme'), attempt('other')], [key('acme', 'x'.repeat(9_500)), key('other', 'y')], always);
    expect(large.map(({ providerId, isByok }) => [providerId, isByok])).toEqual([
      ['acme', true],
      ['acme', false],
      ['other', false],
    ]);
  });
});

describe('widenMap', () => {
  it('makes the providers of own keys routable, for what they serve', () => {
    const { isRoutable } = widenMap({ isRoutable: (id: string, _: Modality) => id === 'ours' }, [key('acme', 'sealed')]);

    expect([isRoutable('ours', 'chat'), isRoutable('acme', 'chat'), isRoutable('acme', 'speech'), isRoutable('no', 'chat')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
