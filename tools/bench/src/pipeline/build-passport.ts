import { randomUUID } from 'node:crypto';
import type { Attempt, Passport } from '@weir/contracts';
import { monthlyScope } from '@weir/limits';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { planAttempts } from '@weir/routing';

const MODELS = ['openai/gpt-4o-mini', 'anthropic/claude-haiku-4-5', 'groq/meta/llama-3.1-8b-instant', 'openai/gpt-4.1-mini'];
const ORGANIZATIONS = Array.from({ length: 20 }, () => ({ id: randomUUID(), keys: [randomUUID(), randomUUID(), randomUUID()] }));
const MINUTE_MS = 60_000;

/** Makes passports as an edge does: twenty organizations, sixty keys, four models, some hundred series; half of them hold money. */
export function createPassports(): (at: number) => Passport {
  const catalog = createBuiltInCatalog();
  const plans = MODELS.map((model): [Attempt] => {
    const { attempts } = planAttempts(model, 'chat', { catalog, isRoutable: () => true });
    return [attempts[0]];
  });
  return (at) => {
    const now = Date.now();
    const organization = ORGANIZATIONS[at % ORGANIZATIONS.length] ?? { id: randomUUID(), keys: [] };
    const apiKeyId = organization.keys[at % 3] ?? randomUUID();
    const attempts = plans[at % plans.length] ?? [];
    const requestId = randomUUID();
    return {
      version: 1,
      requestId,
      endpointId: 'chat-completions',
      admittedAtMs: now,
      deadlineMs: now + 10 * MINUTE_MS,
      caller: {
        organizationId: organization.id,
        apiKeyId,
        userId: null,
        groupId: null,
        apiKeyLabelSetId: null,
        groupLabelSetId: null,
      },
      modelRequested: attempts[0]?.modelId ?? '',
      stream: at % 2 === 0,
      attempts,
      originTitle: null,
      endUserId: null,
      traceId: null,
      extra: at % 4 === 0 ? { team: `team-${at % 7}` } : {},
      hold: at % 2 === 0 ? null : describeHold(requestId, apiKeyId, now),
      isStrict: false,
    };
  };
}

function describeHold(id: string, apiKeyId: string, now: number): Passport['hold'] {
  return {
    id,
    reservedPico: '900000000',
    scopes: [monthlyScope('key', apiKeyId, now)],
    bounds: [{ promptTokens: 5_000, outputTokens: 5_000 }],
    beginByMs: now + MINUTE_MS,
    isLeased: false,
  };
}
