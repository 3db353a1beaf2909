import { enterState, type RunState } from './run-states';

const STATES: readonly RunState[] = ['arrived', 'begun', 'sent', 'released'];
const LEGAL = ['arrived begun', 'arrived released', 'begun sent', 'begun released', 'sent sent', 'sent released'];

describe('the states of a request at a worker', () => {
  it.each(STATES.flatMap((from) => STATES.map((to) => ({ from, to }))))('$from, then $to', ({ from, to }) => {
    const enter = (): RunState => enterState(from, to);

    if (LEGAL.includes(`${from} ${to}`)) expect(enter()).toBe(to);
    else expect(enter).toThrow(`a request that is ${from} cannot be ${to}`);
  });
});
