import type { GuardrailRule } from '../rules/guardrail-rule';
import { createRuleCompiler } from '../rules/compile-rules';
import { createMaskBook } from '../rules/mask-book';
import { createScreen, createSightings } from './screen';
import { screenPieces, type ScreenedPieces } from './screen-pieces';

const RULE: GuardrailRule = {
  id: 'g',
  version: 1,
  name: 'n',
  detectors: ['card', 'email'],
  action: 'mask',
  stage: 'both',
  onError: 'closed',
};

const look = (pieces: readonly string[]): ScreenedPieces =>
  screenPieces(
    pieces,
    createScreen({
      rules: createRuleCompiler()([RULE]).output,
      stage: 'output',
      book: createMaskBook([]),
      sightings: createSightings(),
    }),
  );

describe('texts in pieces', () => {
  it('finds what reaches over several of them, and reports it where it begins', () => {
    expect(look(['My', 'card', '4111', '1111', '1111', '1111', 'is', 'a@b.example.com'])).toEqual({
      pieces: ['My', 'card', '[CARD_1]', '', '', '', 'is', '[EMAIL_1]'],
      isMasked: true,
    });
    expect(look([' Take 4111 1111', ' 1111 1111 now.']).pieces).toEqual([' Take [CARD_1]', ' now.']);
  });

  it('leaves the very pieces where nothing is found, and does not join words that stand apart', () => {
    const pieces = ['a@b', '.', 'example'];
    expect(look(pieces)).toEqual({ pieces, isMasked: false });
    expect(look([])).toEqual({ pieces: [], isMasked: false });
  });
});
