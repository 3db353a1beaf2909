import type { Schemas } from '../../api/client';

type Finding = Schemas['GuardrailTest']['findings'][number];

/** A piece of a text, with what was found in all of it. */
export type MarkedPiece = { readonly text: string; readonly findings: readonly Finding[] };

/** Cuts a text where findings begin and end, so that those which overlap are all seen. */
export function markFindings(text: string, findings: readonly Finding[]): MarkedPiece[] {
  const cuts = [0, text.length, ...findings.flatMap(({ start, end }) => [start, end])];
  const places = [...new Set(cuts)].filter((place) => place <= text.length).sort((one, other) => one - other);
  return places.flatMap((start, index) => {
    const end = places[index + 1];
    if (end === undefined) return [];
    return [{ text: text.slice(start, end), findings: findings.filter((found) => found.start <= start && found.end >= end) }];
  });
}
