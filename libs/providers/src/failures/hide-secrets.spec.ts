import * as fc from 'fast-check';
import { hideSecrets, indexSecrets } from './hide-secrets';

/** Of few letters, so that they begin alike, end alike, contain and overlap one another. */
const word = (lengths: fc.StringConstraints) => fc.string({ ...lengths, unit: fc.constantFrom('a', 'b', '"') });
const secrets = fc.array(word({ minLength: 8, maxLength: 12 }), { maxLength: 6 });

/** Which characters belong to a secret, checked one by one. */
function coverNaively(text: string, all: readonly string[]): boolean[] {
  const covered = Array.from(text, () => false);
  for (const secret of all) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) covered.fill(true, at, at + secret.length);
  }
  return covered;
}

describe('hiding secrets', () => {
  it('leaves just the characters that are in no secret, in their order', () => {
    fc.assert(
      fc.property(
        secrets,
        fc.array(
          fc.oneof(
            word({ maxLength: 20 }),
            secrets.map((all) => all.join('')),
          ),
          { maxLength: 6 },
        ),
        (all, parts) => {
          const text = [...parts, ...all, ...parts].join('');
          const inJson = all.map((secret) => JSON.stringify(secret).slice(1, -1));
          const covered = coverNaively(text, [...all, ...inJson]);
          const left = [...text].filter((_, at) => covered[at] !== true).join('');
          expect(hideSecrets(text, indexSecrets(all)).replaceAll('[removed]', '')).toBe(left);
        },
      ),
    );
  });

  it('takes out secrets beside each other one by one, and as one what overlaps', () => {
    const index = indexSecrets(['abcdefgh', 'efghijkl', '0123456789']);
    expect(hideSecrets('-abcdefgh0123456789-abcdefghijkl-', index)).toBe('-[removed][removed]-[removed]-');
  });

  it('finds a secret of several lines in JSON too', () => {
    const index = indexSecrets(['-----\n"private"\n-----']);
    expect(hideSecrets(JSON.stringify({ said: 'it is -----\n"private"\n-----.' }), index)).toBe('{"said":"it is [removed]."}');
  });

  it.each([
    [7, 'before '],
    [8, 'before [removed]'],
    [14, 'before [removed]'],
    [15, 'before [removed]'],
    [17, 'before [removed] a'],
  ])('of no more than %d characters shows no part of a secret that goes on behind them', (charactersMax, shown) => {
    expect(hideSecrets('before SECRET-1 and after', indexSecrets(['SECRET-1']), charactersMax)).toBe(shown);
  });

  it('takes nothing out where nothing is known, or what is too short to be a secret', () => {
    expect(hideSecrets('seven77', indexSecrets([]))).toBe('seven77');
    expect(hideSecrets('seven77', indexSecrets(['seven77']))).toBe('seven77');
  });
});
