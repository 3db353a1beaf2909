import { buildBody, LOADS } from './loads';

describe('buildBody', () => {
  it('is a chat of 2.4 KB, and a prompt of 400 KB', () => {
    expect(buildBody(LOADS.whole)).toHaveLength(2_381);
    expect(buildBody(LOADS.big)).toHaveLength(405_000);
  });

  it('asks for usage of a stream only where it has to', () => {
    expect(JSON.parse(buildBody(LOADS.stream))).not.toHaveProperty('stream_options');
    expect(JSON.parse(buildBody(LOADS.stream, { asksUsage: true }))).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(JSON.parse(buildBody(LOADS.whole, { asksUsage: true }))).not.toHaveProperty('stream');
  });
});
