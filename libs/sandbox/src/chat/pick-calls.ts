import { createHash } from 'node:crypto';
import { asArray, asRecord, asText, type JsonRecord } from '@weir/canonical';
import { makeInstance } from './make-instance';
import type { Directives } from '../endpoint/read-directives';

export type PlannedCall = { readonly id: string; readonly name: string; readonly isCustom: boolean; readonly argumentsText: string };

type Offer = { readonly name: string; readonly isCustom: boolean; readonly parameters: unknown };
type Wish = { readonly directives: Directives; readonly seed: string; readonly hasResults: boolean };
type Choice = { readonly mode: 'auto' | 'none' | 'required'; readonly names?: ReadonlySet<string> };

/**
 * The tools to call: those the directives name, if they are on offer; the forced one, with the least arguments its
 * schema allows. Once results have come back the directives have been obeyed.
 */
export function pickCalls(body: JsonRecord, { directives, seed, hasResults }: Wish): PlannedCall[] {
  const listed = asArray(body['tools']);
  if (listed.length === 0) return [];
  const choice = readChoice(body['tool_choice']);
  if (choice.mode === 'none') return [];
  const offers = listed.map(readOffer).filter((offer) => offer !== undefined && choice.names?.has(offer.name) !== false) as Offer[];
  const reported = hasResults ? [] : directives.calls.filter((call) => offers.some((offer) => offer.name === call.name));
  const first = offers[0];
  const wanted =
    reported.length > 0
      ? reported
      : choice.mode === 'required' && first !== undefined
        ? [{ name: first.name, argumentsText: undefined }]
        : [];
  const kept = body['parallel_tool_calls'] === false ? wanted.slice(0, 1) : wanted;
  return kept.map((call, index) => {
    const offer = offers.find((candidate) => candidate.name === call.name);
    return {
      id: `call_${createHash('sha256').update(`${seed}:${index}`).digest('hex').slice(0, 24)}`,
      name: call.name,
      isCustom: offer?.isCustom === true,
      argumentsText: call.argumentsText ?? (offer?.isCustom === true ? 'input' : JSON.stringify(makeInstance(offer?.parameters ?? {}))),
    };
  });
}

function readOffer(value: unknown): Offer | undefined {
  const tool = asRecord(value);
  const custom = asRecord(tool?.['custom']);
  const reported = custom ?? asRecord(tool?.['function']);
  const name = asText(reported?.['name']);
  return name === undefined ? undefined : { name, isCustom: custom !== undefined, parameters: reported?.['parameters'] };
}

function readChoice(value: unknown): Choice {
  if (value === 'none' || value === 'required') return { mode: value };
  const reported = asRecord(value);
  const name = asText((asRecord(reported?.['function']) ?? asRecord(reported?.['custom']))?.['name']);
  if (name !== undefined) return { mode: 'required', names: new Set([name]) };
  const allowed = asRecord(reported?.['allowed_tools']);
  if (allowed === undefined) return { mode: 'auto' };
  const names = asArray(allowed['tools']).map((tool) => readOffer(tool)?.name ?? '');
  return { mode: allowed['mode'] === 'required' ? 'required' : 'auto', names: new Set(names) };
}
