import { PROCESS_REPORT_CHARS_MAX, type ProcessReports } from '@weir/access';

/** What every place for reports promises. `open` returns an empty one, and waits for so many milliseconds. */
export function describeProcessReports(
  name: string,
  open: () => Promise<{ reports: ProcessReports; pass(ms: number): Promise<void> }>,
): void {
  describe(`${name} as a place for reports of processes`, () => {
    it('has the latest report of each process', async () => {
      const { reports } = await open();
      expect(await reports.list()).toEqual([]);
      await reports.publish('a', 'first', 60_000);
      await reports.publish('b', 'of b', 60_000);
      await reports.publish('a', 'second', 60_000);

      expect([...(await reports.list())].sort()).toEqual(['of b', 'second']);
    });

    it('forgets a process that is not heard of any more, and one that says goodbye', async () => {
      const { reports, pass } = await open();
      await reports.publish('short', 'soon gone', 40);
      await reports.publish('long', 'stays', 60_000);
      await reports.publish('leaves', 'goes', 60_000);
      await reports.withdraw('leaves');
      await pass(60);

      expect(await reports.list()).toEqual(['stays']);
    });

    it('keeps none that is too long, and not the one before it either way for longer than its time', async () => {
      const { reports, pass } = await open();
      await reports.publish('a', 'fits', 40);
      await reports.publish('a', 'x'.repeat(PROCESS_REPORT_CHARS_MAX + 1), 60_000);
      await pass(60);

      expect(await reports.list()).toEqual([]);
    });
  });
}
