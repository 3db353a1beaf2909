import type { ChatRequest, ReasoningEffort, ResponseFormat } from '@weir/canonical';
import { unsupported } from '../../failures/unsupported';
import { schemaOfFormat } from '../../wire/schema-of-format';
import { encodeFields } from '../../fields/field-uses';
import { withoutUndefined, type JsonRecord } from '../../wire/json-value';
import type { EncodeContext } from './context';
import { FIELDS } from './fields';
import { isBeforeThird } from './model-age';

const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};
/** The larger models of the second generation cannot stop thinking. */
const BUDGET_MIN_OF_PRO = 128;

export function encodeGeneration(request: ChatRequest, context: EncodeContext): JsonRecord {
  return withoutUndefined({
    ...encodeFields(request, FIELDS, context),
    ...encodeFormat(request.responseFormat, context),
    thinkingConfig: encodeThinking(request, context),
  });
}

function encodeFormat(format: ResponseFormat | undefined, { target }: EncodeContext): JsonRecord {
  if (format === undefined || format.kind === 'text') return {};
  if (format.kind === 'json') return { responseMimeType: 'application/json' };
  if (!target.model.supportsJsonSchema) throw unsupported('response_format', 'A response format with a JSON schema');
  return { responseMimeType: 'application/json', responseJsonSchema: schemaOfFormat(format) };
}

function encodeThinking({ reasoning }: ChatRequest, context: EncodeContext): JsonRecord | undefined {
  if (reasoning === undefined) return undefined;
  const effort = reasoning.effort ?? (reasoning.mode === 'disabled' ? 'none' : undefined);
  const isAsked = effort !== undefined || reasoning.budgetTokens !== undefined || reasoning.mode !== undefined;
  if (isAsked && context.target.model.supportsReasoning) return writeThinking(effort, reasoning.budgetTokens, context);
  if (isAsked && effort !== 'none') context.losses.dropped.add('reasoning_effort');
  return undefined;
}

function writeThinking(
  effort: ReasoningEffort | undefined,
  budgetTokens: number | undefined,
  { target, losses }: EncodeContext,
): JsonRecord {
  const amount = encodeAmount(effort, budgetTokens, target.attempt.upstreamModel);
  if (budgetTokens !== undefined && 'thinkingLevel' in amount) losses.approximated.add('reasoning');
  return effort === 'none' ? amount : { includeThoughts: true, ...amount };
}

function encodeAmount(effort: ReasoningEffort | undefined, budgetTokens: number | undefined, name: string): JsonRecord {
  if (isBeforeThird(name)) return { thinkingBudget: budgetOf(effort, budgetTokens, name) };
  return withoutUndefined({ thinkingLevel: levelOf(effort ?? effortOfBudget(budgetTokens), name) });
}

function budgetOf(effort: ReasoningEffort | undefined, budgetTokens: number | undefined, name: string): number {
  const budget = budgetTokens ?? (effort === undefined ? -1 : BUDGETS[effort]);
  return budget === 0 && name.includes('pro') ? BUDGET_MIN_OF_PRO : budget;
}

function effortOfBudget(tokens: number | undefined): ReasoningEffort | undefined {
  if (tokens === undefined) return undefined;
  return tokens <= 2048 ? 'low' : tokens <= 10_000 ? 'medium' : 'high';
}

function levelOf(effort: ReasoningEffort | undefined, name: string): string | undefined {
  if (effort === undefined) return undefined;
  if (effort === 'none' || effort === 'minimal') return name.includes('pro') ? 'LOW' : 'MINIMAL';
  return effort === 'low' ? 'LOW' : effort === 'medium' ? 'MEDIUM' : 'HIGH';
}
