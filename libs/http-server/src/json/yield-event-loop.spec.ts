import { takeTurn, yieldEventLoop } from './yield-event-loop';

const TURN_MS = 5;
const HUGE = 4 * 1024 * 1024;

describe('turns', () => {
  let nowMs = 0;
  const workFor = (milliseconds: number): void => {
    nowMs += milliseconds;
  };

  beforeEach(async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    await yieldEventLoop();
  });
  afterEach(() => jest.restoreAllMocks());

  it('lets work go on while the turn has time left', () => {
    expect(takeTurn()).toBeUndefined();
    workFor(TURN_MS - 1);
    expect(takeTurn()).toBeUndefined();
  });

  it('lets others be served once the turn is used up, by however many requests', async () => {
    const served: string[] = [];
    expect(takeTurn()).toBeUndefined();
    workFor(TURN_MS + 1);
    setImmediate(() => served.push('other'));

    const turn = takeTurn();

    expect(turn).toBeInstanceOf(Promise);
    await turn;
    expect(served).toEqual(['other']);
    expect(takeTurn()).toBeUndefined();
  });

  it('gives those that wait no more than a turn together', async () => {
    const order: string[] = [];
    expect(takeTurn()).toBeUndefined();
    workFor(TURN_MS + 1);
    const wait = async (name: string): Promise<void> => {
      await takeTurn();
      order.push(name);
      workFor(TURN_MS + 1);
    };
    const all = [wait('first'), wait('second'), wait('third')];
    setImmediate(() => setImmediate(() => order.push('other')));

    await Promise.all(all);

    expect(order).toEqual(['first', 'second', 'other', 'third']);
  });

  it('gives a step on a huge text a turn of its own', async () => {
    expect(takeTurn(HUGE)).toBeUndefined();
    const turn = takeTurn(HUGE);
    expect(turn).toBeInstanceOf(Promise);
    await turn;
  });
});
