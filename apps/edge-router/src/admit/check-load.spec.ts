import type { Principal } from '@weir/access';
import type { Attempt } from '@weir/contracts';
import type { RequestScope } from '@weir/http-server';
import { checkCallerLoad, checkPlanLoad } from './check-load';

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

  it('is asked about for requests that can go to free models only', () => {
    const asked = jest.fn();
    checkPlanLoad(scopeWith(asked), attempts(true, true));
    expect(asked.mock.calls).toEqual([['free']]);
    checkPlanLoad(scopeWith(asked), attempts(true, false));
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('refuses nobody where nothing is refused for load', () => {
    expect(() => {
      checkCallerLoad(scopeWith(undefined), callerOf('free'));
      checkPlanLoad(scopeWith(undefined), attempts(true));
    }).not.toThrow();
  });
});
