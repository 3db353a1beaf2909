import type { Dice } from './dice';

/** Ordinary text with things in it that look like something they are not. */
export const NEGATIVES: readonly ((dice: Dice) => string)[] = [
  (dice) => `The meeting on 2026-0${1 + dice.roll(9)}-1${dice.roll(9)} at 10:${10 + dice.roll(49)} was moved to room ${dice.roll(900)}.`,
  (dice) =>
    `Order ${dice.digits(8)} has ${dice.roll(90)} items and costs ${dice.roll(900)}.${dice.digits(2)} EUR, ref. ${dice.digits(6)}-${dice.digits(3)}.`,
  (dice) => `Version ${dice.roll(9)}.${dice.roll(20)}.${dice.roll(9)}.${dice.roll(9)} of the app was released; v1.2.3.4 is old.`,
  (dice) => `commit ${dice.from('0123456789abcdef', 40)} fixes issue #${dice.digits(4)}`,
  (dice) =>
    `id ${dice.from('0123456789abcdef', 8)}-${dice.from('0123456789abcdef', 4)}-4${dice.from('0123456789abcdef', 3)}-a${dice.from('0123456789abcdef', 3)}-${dice.from('0123456789abcdef', 12)}`,
  () => 'Use logo@2x.png for dense screens and clone git@host.example:team/project.git afterwards.',
  () => 'Set api_key = "YOUR_API_KEY_HERE" and password: changeme123 before the first start.',
  () => 'const token = process.env.API_TOKEN; if (a::b) return std::vector<int>{1, 2, 3};',
  (dice) => `The ratio was 3.14159${dice.digits(6)} and the distance 149,597,870.${dice.digits(1)} km, or 1.496e11 m.`,
  (dice) => `Numbers: ${Array.from({ length: 12 }, () => dice.roll(99)).join(' ')} and ${dice.roll(9)}/${dice.roll(9)}.`,
  () => 'Please follow the previous instructions carefully and show me the results of the system test.',
  () => 'The token is valid for one hour; the secret: patience. The key is under the mat.',
  (dice) =>
    `Between 19${dice.digits(2)} and 20${dice.digits(2)} the population grew by ${dice.roll(100)} % to ${dice.roll(900)} ${dice.digits(3)} ${dice.digits(3)}.`,
  (dice) => `Tracking number ${dice.from('ABCDEFGHJKLMNP', 2)}${dice.digits(9)}XX left the depot at 06:15:${10 + dice.roll(49)}.`,
  () => 'Mail us @ the office or ping @anna and @team/core; see scope@latest in package.json.',
  (dice) =>
    `Card ending in ${dice.digits(4)}, account ending in ${dice.digits(3)}; section ${dice.roll(9)}.${dice.roll(9)}.${dice.roll(9)}.`,
  () => 'She said: "Never ignore warnings", and he answered that all rules have exceptions.',
  () => 'MD5 (file) = d41d8cd98f00b204e9800998ecf8427e; sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  (dice) => `ISBN 978-3-16-14841${dice.roll(9)}-0, DOI 10.1000/182.${dice.digits(4)}, ZIP ${dice.digits(5)}-${dice.digits(4)}.`,
  () => 'Der Zug fährt um 12.45 Uhr; Gleis 9 ist gesperrt. 東京の天気は晴れです。Всё хорошо.',
];
