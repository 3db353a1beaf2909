import { describeGreeting, readGreeting } from './greeting';

describe('the greeting of a worker', () => {
  it('names its process and the connection', () => {
    const greeting = { process: '01a203c4-52cc-7a34-9eb7-1d4f22aa99ee', connection: 'x_Y-1' };

    expect(readGreeting(describeGreeting(greeting))).toEqual(greeting);
  });

  test.each([undefined, '', '3.a.b', '2.a', '2.a.b.c', '2.a b.c'])('is none: %s', (header) => {
    expect(readGreeting(header)).toBeUndefined();
  });
});
