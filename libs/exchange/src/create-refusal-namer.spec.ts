import { GatewayError, type GatewayErrorDetails } from '@weir/errors';
import type { Attempt } from '@weir/contracts';
import { createRefusalNamer } from './create-refusal-namer';

const explain = createRefusalNamer((id) => (id === 'openai' ? 'OPENAI_API_KEY' : undefined));
const attempt = (more: Partial<Attempt> = {}): Attempt =>
  ({ modelId: 'openai/gpt', providerId: 'openai', isByok: false, ...more }) as Attempt;

function report(details: GatewayErrorDetails, more: Partial<Attempt> = {}, searchModels?: string[]): string {
  const error = new GatewayError(details.lacks === undefined ? 'provider_credentials' : 'unsupported_field', 'from the provider', details);
  return (explain(error, attempt(more), { attempts: [], stream: false, deadlineMs: 0, searchModels }) as GatewayError).message;
}

describe('the refusal of an account', () => {
  it('names the provider and the setting of the gateway', () => {
    expect(report({ upstream: { status: 401 } })).toBe(
      'The provider "openai" refused this gateway\'s key (OPENAI_API_KEY). Ask the operator of the gateway to check it; your request is not at fault.',
    );
    expect(report({ upstream: { status: 401 } }, { providerId: 'other' })).toContain('The provider "other" refused this gateway\'s key.');
  });

  it('names the credential of an organization, and who may replace it', () => {
    const own = { isByok: true, credentialName: 'our key' };
    expect(report({ upstream: { status: 403 } }, own)).toMatch(
      /^The provider "openai" refused your organization's credential "our key"\. Ask an administrator of your organization/,
    );
    expect(report({ upstream: { status: 403 } }, { isByok: true })).toContain("refused your organization's credential.");
  });

  it('speaks of credit, not of the key, where that is what is missing', () => {
    const error = new GatewayError('provider_quota_exhausted', 'from the provider');
    const named = explain(error, attempt(), { attempts: [], stream: false, deadlineMs: 0 }) as GatewayError;
    expect([named.code, named.message]).toEqual([
      'provider_quota_exhausted',
      expect.stringContaining('has no credit left or is not active'),
    ]);
  });

  it('keeps code, details and the first words for logs', () => {
    const first = new GatewayError('provider_credentials', 'first', { upstream: { status: 401 } });
    const named = explain(first, attempt(), { attempts: [], stream: false, deadlineMs: 0 });

    expect(named).toMatchObject({ code: 'provider_credentials', details: { upstream: { status: 401 } }, cause: first });
  });
});

describe('the refusal of a web search', () => {
  it('names the model that has none and models that have it', () => {
    expect(report({ lacks: 'web_search', field: 'tools' }, {}, ['a/1', 'b/2'])).toBe(
      'The model "openai/gpt" cannot search the web. Use "a/1" or "b/2", or leave the web search out.',
    );
    expect(report({ lacks: 'web_search' })).toContain('Leave the web search out, or ask an administrator');
  });
});

it('leaves every other error as it is', () => {
  const other = new GatewayError('provider_failed', 'as it is');
  const unknown = new TypeError('x');

  for (const error of [other, unknown]) expect(explain(error, attempt(), { attempts: [], stream: false, deadlineMs: 0 })).toBe(error);
});
