import type { Authenticator, Principal } from '@weir/access';
import { getEndpoint, type Attempt } from '@weir/contracts';
import type { RequestScope } from '@weir/http-server';
import type { IncomingMessage } from 'node:http';
import { areFree, checkCallerLoad, checkPlanLoad, createCallerFinder } from './check-load';

const scopeWith = (checkLoad: RequestScope['checkLoad']): RequestScope => ({ checkLoad }) as RequestScope;
const callerOf = (tier: string): Principal => ({ key: { apiKeyId: 'k', organization: { tier } } }) as unknown as Principal;
const attempts = (...isFree: boolean[]): Attempt[] => isFree.map((each) => ({ isFree: each }) as Attempt);

describe('load, once it is known who asks and where it goes', () => {
  it('is asked about for those who never paid, and not again for those who do', () => {
    const asked = jest.fn();
    checkCallerLoad(scopeWith(asked), callerOf('free'));
    expect(asked.mock.calls).toEqual([['unpaid', 'k']]);
    checkCallerLoad(scopeWith(asked), callerOf('paying'));
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('is not asked about again where it was at the first line', () => {
    const asked = jest.fn();
    checkCallerLoad({ ...scopeWith(asked), priority: 'unpaid' }, callerOf('free'));
    expect(asked).not.toHaveBeenCalled();
    checkCallerLoad({ ...scopeWith(asked), priority: 'paid' }, callerOf('free'));
    expect(asked.mock.calls).toEqual([['unpaid', 'k']]);
  });

  it('is asked about for requests that can go to free models only', () => {
    const asked = jest.fn();
    checkPlanLoad(scopeWith(asked), callerOf('paying'), areFree(attempts(true, true)));
    expect(asked.mock.calls).toEqual([['free', 'k']]);
    checkPlanLoad(scopeWith(asked), callerOf('paying'), areFree(attempts(true, false)));
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('refuses no one where nothing is refused for load', () => {
    expect(() => {
      checkCallerLoad(scopeWith(undefined), callerOf('free'));
      checkPlanLoad(scopeWith(undefined), callerOf('paying'), true);
    }).not.toThrow();
  });
});

describe('whose a request is, by its head', () => {
  const request = { headers: { authorization: 'Bearer weir_1' } } as unknown as IncomingMessage;
  const find = (authenticate: Authenticator['authenticate']) =>
    createCallerFinder({ authenticate }, getEndpoint('chat-completions'))(request);

  it('is known from a key that this process has seen', () => {
    const asked = jest.fn(() => callerOf('free'));
    expect([find(asked), find(() => callerOf('paying'))]).toEqual([
      { priority: 'unpaid', id: 'k' },
      { priority: 'paid', id: 'k' },
    ]);
    expect(asked).toHaveBeenCalledWith('weir_1');
  });

  it('is somebody who pays until it is known, whatever becomes of the question', async () => {
    const refuse = (): never => {
      throw new Error('no such key');
    };
    expect([find(refuse), find(() => Promise.resolve(callerOf('free'))), find(() => Promise.reject(new Error('no database')))]).toEqual(
      Array(3).fill({ priority: 'paid', id: undefined }),
    );
    await Promise.resolve();
  });

  it('is asked anew after a second: who has begun to pay is not taken for who never did for longer', () => {
    jest.useFakeTimers();
    try {
      let tier = 'free';
      const authenticate = jest.fn(() => callerOf(tier));
      const findCaller = createCallerFinder({ authenticate }, getEndpoint('chat-completions'));
      expect([findCaller(request).priority, findCaller(request).priority]).toEqual(['unpaid', 'unpaid']);
      expect(authenticate).toHaveBeenCalledTimes(1);
      tier = 'paying';
      jest.advanceTimersByTime(1000);
      expect(findCaller(request).priority).toBe('paid');
    } finally {
      jest.useRealTimers();
    }
  });
});
