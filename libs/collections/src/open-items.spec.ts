import { OpenItems, type Place } from './open-items';

describe('items that come and go', () => {
  it('holds what was added and not removed, whatever the order', () => {
    const items = new OpenItems<number>();
    const places = new Map<number, Place<number>>();
    const expected = new Set<number>();
    let seed = 7;
    for (let item = 0; item < 2_000; item += 1) {
      places.set(item, items.add(item));
      expected.add(item);
      seed = (seed * 48271) % 0x7fffffff;
      const removed = seed % (item + 1);
      items.remove(places.get(removed) as Place<number>);
      expected.delete(removed);
      expect(items.size).toBe(expected.size);
    }
    expect(items.list().sort((left, right) => left - right)).toEqual([...expected].sort((left, right) => left - right));
  });

  it('removes one place once', () => {
    const items = new OpenItems<string>();
    const [first] = [items.add('a'), items.add('b')];
    items.remove(first);
    items.remove(first);
    expect([...items]).toEqual(['b']);
  });

  it('lets items come and go while they are read', () => {
    const items = new OpenItems<number>();
    const places = [1, 2, 3].map((item) => items.add(item));
    const seen: number[] = [];
    for (const item of items) {
      seen.push(item);
      for (const place of places) items.remove(place);
      items.add(4);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(items.size).toBe(3);
  });
});
