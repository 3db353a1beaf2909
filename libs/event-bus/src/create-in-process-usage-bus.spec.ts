import { createInProcessUsageBus } from './create-in-process-usage-bus';
import { collect, describeUsageBus, makeEvents } from './usage-bus.conformance';

describeUsageBus('the in-process usage bus', () => Promise.resolve(createInProcessUsageBus({ pauseMs: () => 0 })));

describe('the in-process usage bus by itself', () => {
  it('resolves a publish only after the handler resolved', async () => {
    const bus = createInProcessUsageBus();
    let commit = (): void => undefined;
    const committed = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const order: string[] = [];
    await bus.consumer.start(() => committed.then(() => void order.push('committed')));
    const published = bus.publisher.publish(makeEvents('w', 0, 1)).then(() => order.push('published'));
    await Promise.resolve();
    expect(order).toEqual([]);
    commit();
    await published;
    expect(order).toEqual(['committed', 'published']);
  });

  it('runs one handler call at a time', async () => {
    const bus = createInProcessUsageBus();
    let atWork = 0;
    let most = 0;
    await bus.consumer.start(async () => {
      atWork += 1;
      most = Math.max(most, atWork);
      await Promise.resolve();
      atWork -= 1;
    });
    await Promise.all(Array.from({ length: 10 }, (_, index) => bus.publisher.publish(makeEvents('w', index, 1))));
    expect(most).toBe(1);
  });

  it('rejects waiting publishers when it closes before their events were handled', async () => {
    const bus = createInProcessUsageBus();
    const published = bus.publisher.publish(makeEvents('w', 0, 1));
    const outcome = expect(published).rejects.toThrow('closed');
    await bus.consumer.close();
    await outcome;
  });

  it('accepts one consumer only', async () => {
    const bus = createInProcessUsageBus();
    await bus.consumer.start(collect(1).handle);
    await expect(bus.consumer.start(collect(1).handle)).rejects.toThrow('consumer already');
  });
});
