import type { ChangeNotices } from '@weir/access';

type Listener = { readonly onNotice: () => void; readonly heard: () => number; readonly next: () => Promise<void> };

function createListener(): Listener {
  let count = 0;
  let wake: () => void = () => undefined;
  return {
    onNotice: () => {
      count += 1;
      wake();
    },
    heard: () => count,
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
}

/**
 * What all change notices promise. `open` returns the notices as one of several processes has them. `mayRepeat`: they come through a
 * client that moves its subscription from node to node, and may hear one notice at both.
 */
export function describeChangeNotices(name: string, open: () => ChangeNotices, { mayRepeat = false } = {}): void {
  const expectOne = (heard: number): void => {
    if (mayRepeat) expect([1, 2]).toContain(heard);
    else expect(heard).toBe(1);
  };

  describe(`${name} as change notices`, () => {
    it('calls every subscriber', async () => {
      const [one, two] = [createListener(), createListener()];
      const notices = open();
      const ends = [await notices.subscribe(one.onNotice), await notices.subscribe(two.onNotice)];

      const reported = Promise.all([one.next(), two.next()]);
      await open().notify();
      await reported;

      expectOne(one.heard());
      expectOne(two.heard());
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

      expect(ended.heard()).toBe(0);
      expectOne(staying.heard());
      await endStaying();
    });

    it('can be subscribed to again after the last subscription has ended', async () => {
      const listener = createListener();
      const notices = open();
      await (
        await notices.subscribe(() => undefined)
      )();
      const end = await notices.subscribe(listener.onNotice);

      const reported = listener.next();
      await open().notify();
      await reported;

      expectOne(listener.heard());
      await end();
    });
  });
}
