import type { ChangeNotices } from '@weir/access';

type Listener = { readonly onNotice: () => Promise<void>; readonly heard: () => number; readonly next: () => Promise<void> };

function createListener(): Listener {
  let count = 0;
  let wake: () => void = () => undefined;
  return {
    onNotice: () => {
      count += 1;
      wake();
      return Promise.resolve();
    },
    heard: () => count,
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
}

/**
 * What all change notices promise. `open` returns the notices as one of several processes has them; `pass` resolves when none of
 * before is under way any more.
 */
export function describeChangeNotices(name: string, open: () => ChangeNotices, pass?: () => Promise<void>): void {
  describe(`${name} as change notices`, () => {
    beforeEach(async () => {
      await pass?.();
    });

    it('calls every subscriber', async () => {
      const [one, two] = [createListener(), createListener()];
      const notices = open();
      const ends = [await notices.subscribe(one.onNotice), await notices.subscribe(two.onNotice)];

      const reported = Promise.all([one.next(), two.next()]);
      await open().notify();
      await reported;

      expect([one.heard(), two.heard()]).toEqual([1, 1]);
      await Promise.all(ends.map((end) => end()));
    });

    it('calls no subscriber whose subscription has ended, and goes on calling the others', async () => {
      const [ended, staying] = [createListener(), createListener()];
      const notices = open();
      const end = await notices.subscribe(ended.onNotice);
      const endStaying = await notices.subscribe(staying.onNotice);
      await end();
      await end(); // ending twice ends nothing else

      const reported = staying.next();
      await open().notify();
      await reported;

      expect([ended.heard(), staying.heard()]).toEqual([0, 1]);
      await endStaying();
    });

    it('can be subscribed to again after the last subscription has ended', async () => {
      const listener = createListener();
      const notices = open();
      await (
        await notices.subscribe(() => Promise.resolve())
      )();
      const end = await notices.subscribe(listener.onNotice);

      const reported = listener.next();
      await open().notify();
      await reported;

      expect(listener.heard()).toBe(1);
      await end();
    });

    it('waits until those that subscribed by it have taken the news in, and rejects where one could not', async () => {
      const notices = open();
      const order: string[] = [];
      const endSlow = await notices.subscribe(async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push('taken in');
      });
      await notices.notify();
      order.push('given');
      expect(order).toEqual(['taken in', 'given']);
      await endSlow();

      const failing = open();
      const end = await failing.subscribe(() => Promise.reject(new Error('the log is away')));
      await expect(failing.notify()).rejects.toThrow('the log is away');
      await end();
    });
  });
}
