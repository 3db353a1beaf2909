import { SimDisk } from './sim-disk';
import { SimFile } from './sim-file';

const text = (file: SimFile): string => file.readAll().toString();
const nothing = (): number => 0;
const everything = (): number => 0.999_999;

it('keeps what was synced, and of the rest whatever prefix the power leaves', () => {
  const file = new SimFile();
  file.write(0, Buffer.from('synced '));
  file.endSync(file.beginSync());
  file.write(7, Buffer.from('one '));
  file.write(11, Buffer.from('two'));
  const halves = [0.5, 0.5];
  file.loseUnsynced(() => halves.shift() ?? 0);
  expect(text(file)).toBe('synced one t');
  file.write(12, Buffer.from('…'));
  file.loseUnsynced(nothing);
  expect(text(file)).toBe('synced one t');
});

it('covers by a sync what was written before it began, and nothing later', () => {
  const file = new SimFile();
  file.write(0, Buffer.from('before '));
  const upTo = file.beginSync();
  file.write(7, Buffer.from('during'));
  file.endSync(upTo);
  file.loseUnsynced(nothing);
  expect(text(file)).toBe('before ');
});

it('brings back what was cut off and not synced', () => {
  const file = new SimFile();
  file.write(0, Buffer.from('0123456789'));
  file.endSync(file.beginSync());
  file.cut(4);
  file.write(4, Buffer.from('abc'));
  file.cut(2);
  expect(text(file)).toBe('01');
  file.loseUnsynced(nothing);
  expect(text(file)).toBe('0123456789');
});

it('keeps names only where their folder was synced', () => {
  const disk = new SimDisk();
  disk.makeFolder('/journal/one');
  disk.make('/journal/one/a');
  for (const path of ['/', '/journal', '/journal/one']) disk.folder(path).sync();
  disk.make('/journal/one/b');
  disk.rename('/journal/one/a', '/journal/one/c');
  disk.cutPower(nothing);
  expect([...disk.folder('/journal/one').names.keys()]).toEqual(['a']);
  disk.make('/journal/one/b');
  disk.cutPower(everything);
  expect([...disk.folder('/journal/one').names.keys()]).toEqual(['a', 'b']);
});

it('gives a folder to one that lives', () => {
  const disk = new SimDisk();
  disk.makeFolder('/journal');
  const [one, other] = [true, true].map((isAlive) => ({ isAlive, frozenUntilMs: 0 }));
  if (one === undefined || other === undefined) throw new Error('unreachable');
  expect([disk.lock('/journal', one), disk.lock('/journal', other)]).toEqual([true, false]);
  one.isAlive = false;
  expect(disk.lock('/journal', other)).toBe(true);
});

it('takes what fits', () => {
  const disk = new SimDisk();
  disk.capacity = 5;
  expect(disk.claim('/f', 3)).toBe(3);
  expect(disk.claim('/f', 3)).toBe(2);
  expect(() => disk.claim('/f', 1)).toThrow('ENOSPC');
});
