import { ERROR_CATALOGUE, isAccountRefusal, type ErrorCode } from '@weir/errors';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');
const SKIPPED = /(^|\/)(node_modules|dist|generated|__fixtures__|gateway-e2e|testing|api-description)(\/|$)/;

type Said = { readonly code: string; readonly text: string; readonly file: string };

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (SKIPPED.test(path)) return [];
    return entry.isDirectory() ? listSources(path) : /(?<!\.spec|\.d)\.ts$/.test(path) ? [path] : [];
  });
}

/** The text with a placeholder for what is filled in; undefined where it is made elsewhere. */
function render(message: ts.Expression | undefined): string | undefined {
  if (message === undefined) return undefined;
  if (ts.isStringLiteralLike(message)) return message.text;
  if (!ts.isTemplateExpression(message)) return undefined;
  return message.head.text + message.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

function listSaid([file, text]: readonly [string, string]): Said[] {
  if (!text.includes('new GatewayError(')) return [];
  const found: Said[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'GatewayError') {
      const [code, message] = node.arguments ?? [];
      const said = render(message);
      if (code !== undefined && ts.isStringLiteral(code) && said !== undefined) found.push({ code: code.text, text: said, file });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

const SOURCES = ['apps', 'libs'].flatMap(listSources).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
const SAID = SOURCES.flatMap(listSaid);
const show = (said: readonly Said[]): string[] => said.map(({ file, code, text }) => `${file}: ${code}: ${text}`);

/** Codes whose message has to say what to do: trying something else, or again, or asking someone helps. */
const ACTED_ON =
  /^(provider_(?!refused|not_found|not_configured)|dependency_down|overloaded|rate_limited|invalid_credentials|guardrail_blocked|idempotency|balance|model_not_allowed|unsupported_media_type|body_too_large)/;
const ACTION = /\b(try|send|ask|use|change|choose|check|leave|sign in|top up|wait|name|correct|create|has to|see)\b/i;
const PRIVATE = /\b(passport|codec|lane|zod|undefined|expected|received|NaN)\b/i;

describe('what callers read in errors', () => {
  it('is found in the sources', () => {
    expect(SAID.length).toBeGreaterThan(150);
  });

  it('has the form of sentences', () => {
    expect(show(SAID.filter(({ text }) => !/[.…]$/.test(text)))).toEqual([]);
  });

  it('has no words of the inside', () => {
    expect(show(SAID.filter(({ text }) => PRIVATE.test(text)))).toEqual([]);
  });

  it('says what to do where something can be done', () => {
    expect(show(SAID.filter(({ code, text }) => ACTED_ON.test(code) && !ACTION.test(text) && !text.endsWith('…')))).toEqual([]);
  });
});

describe('the catalogue of errors', () => {
  const rows = Object.entries(ERROR_CATALOGUE);

  it.each(rows)(
    'has a status and an origin of %s that agree with whether trying again can help',
    (code, { status, isRetryable, origin }) => {
      const isRepeatable = status >= 500 || status === 429 || code === 'idempotency_in_progress';
      expect(isRetryable).toBe(isRepeatable && !isAccountRefusal(code as ErrorCode));
      expect(origin).toBe(code.startsWith('provider_') && code !== 'provider_not_configured' ? 'provider' : 'router');
    },
  );

  it.each(rows)('has no row %s that is nowhere raised', (code) => {
    const raising = SOURCES.filter(([file, text]) => !file.endsWith('error-catalogue.ts') && text.includes(`'${code}'`));
    expect(raising.length).toBeGreaterThan(0);
  });
});
