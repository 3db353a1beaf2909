import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createApiDocument } from '@weir/api-description';
import { REPOSITORY } from './repository/read-repository';

/** What the recommended rules say and we do not heed, with the reason. */
const UNHEEDED: readonly { readonly line: RegExp; readonly why: string }[] = [
  {
    line: /^operation-4xx-response error #\/paths\/~1(openapi\.json|schemas~1configuration\.json|schemas~1usage-event|schemas~1usage-manifest|docs|healthz|readyz)?\/get\/responses /,
    why: 'pages without a key and without parameters have nothing to refuse',
  },
];

function lint(document: unknown): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(REPOSITORY, 'tools/checks/lint-api-document.mjs')], {
    input: JSON.stringify(document),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`the linter failed: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('the API document', () => {
  it('passes the recommended rules', () => {
    const lines = lint(createApiDocument());

    expect(lines.filter((line) => !UNHEEDED.some((one) => one.line.test(line)))).toEqual([]);
    for (const { line } of UNHEEDED) expect(lines.some((one) => line.test(one))).toBe(true);
  });

  it('would not pass them with a faulty operation', () => {
    const document = createApiDocument();
    const faulty = { ...document, paths: { ...document.paths, '/v1/x/{id}': { get: { responses: { '200': {} } } } } };

    expect(lint(faulty).join('\n')).toMatch(
      /path-parameters-defined[\s\S]*operation-summary|operation-summary[\s\S]*path-parameters-defined/,
    );
  });
});
