import type { Authenticator, Principal } from '@weir/access';
import { getEndpoint, type Attempt } from '@weir/contracts';
import type { RequestScope } from '@weir/http-server';
import type { IncomingMessage } from 'node:http';
import { areFree, checkCallerLoad, checkPlanLoad, createPriorityFinder } from './check-load';

const scopeWith = (checkLoad: RequestScope['checkLoad']): RequestScope => ({ checkLoad }) as RequestScope;
const callerOf = (tier: string): Principal => ({ key: { organization: { tier } } }) as unknown as Principal;
const attempts = (...isFree: boolean[]): Attempt[] => isFree.map((each) => ({ isFree: each }) as Attempt);

describe('load, once it is known who asks and where it goes', () => {
  it('is asked about for those who never paid, and not again for those who do', () => {
    const asked = jest.fn();
    checkCallerLoad(scopeWith(asked), callerOf('free'));
    expect(asked.mock.calls).toEqual([['unpaid']]);
    checkCallerLoad(scopeWith(asked), callerOf('paying'));
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('is not asked about again where it was at the first line', () => {
    const asked = jest.fn();
    checkCallerLoad({ ...scopeWith(asked), priority: 'unpaid' }, callerOf('free'));
    expect(asked).not.toHaveBeenCalled();
    checkCallerLoad({ ...scopeWith(asked), priority: 'paid' }, callerOf('free'));
    expect(asked.mock.calls).toEqual([['unpaid']]);
  });

  it('is asked about for requests that can go to free models only', () => {
    const asked = jest.fn();
    checkPlanLoad(scopeWith(asked), areFree(attempts(true, true)));
    expect(asked.mock.calls).toEqual([['free']]);
    checkPlanLoad(scopeWith(asked), areFree(attempts(true, false)));
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('refuses no one where nothing is refused for load', () => {
    expect(() => {
      checkCallerLoad(scopeWith(undefined), callerOf('free'));
      checkPlanLoad(scopeWith(undefined), true);
    }).not.toThrow();
  });
});

describe('whose a request is, by its head', () => {
  const request = { headers: { authorization: 'Bearer weir_1' } } as unknown as IncomingMessage;
  const find = (authenticate: Authenticator['authenticate']) =>
    createPriorityFinder({ authenticate }, getEndpoint('chat-completions'))(request);

  it('is known from a key that this process has seen', () => {
    const asked = jest.fn(() => callerOf('free'));
    expect([find(asked), find(() => callerOf('paying'))]).toEqual(['unpaid', 'paid']);
    expect(asked).toHaveBeenCalledWith('weir_1');
  });

  it('is somebody who pays until it is known, whatever becomes of the question', async () => {
    const refuse = (): never => {
      throw new Error('no such key');
    };
    expect([find(refuse), find(() => Promise.resolve(callerOf('free'))), find(() => Promise.reject(new Error('no database')))]).toEqual([
      'paid',
      'paid',
      'paid',
    ]);
    await Promise.resolve();
  });

  it('is asked anew after a second: who has begun to pay is not taken for who never did for longer', () => {
    jest.useFakeTimers();
    try {
      let tier = 'free';
      const authenticate = jest.fn(() => callerOf(tier));
      const findPriority = createPriorityFinder({ authenticate }, getEndpoint('chat-completions'));
      expect([findPriority(request), findPriority(request)]).toEqual(['unpaid', 'unpaid']);
      expect(authenticate).toHaveBeenCalledTimes(1);
      tier = 'paying';
      jest.advanceTimersByTime(1000);
      expect(findPriority(request)).toBe('paid');
    } finally {
      jest.useRealTimers();
    }
  });
});
