import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../harness/run-process';
import { startStandalone, type Harness } from '../harness/start-standalone';

const FENCE = /^```([^\n]*)\n([\s\S]*?)^```/gm;
const RUNNABLE = 'sh runnable';

type Block = { readonly page: string; readonly language: string; readonly commands: string };

/** Shell blocks that this test cannot run, by page and first line, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'README.md: npm install --global ./weir-gateway-0.1.0.tgz':
    'installs for the whole machine; packages.e2e.spec does it with an empty prefix',
  'README.md: npm start': 'starts a gateway that runs until it is stopped; the tests of standalone start one',
  'README.md: docker compose -f docker/compose.yaml --profile full up --build --detach': 'needs Docker; the file is read by tools/checks',
  'README.md: npm test': 'is what runs this test',
  'docs/budgets.md: curl -sf $WEIR_URL/v1/manage/limit -H "Authorization: Bearer $WEIR_API_KEY" -H \'Content-Type: application/json\' \\':
    'names a group of an organization; the specs of limits do',
  "docs/catalog.md: cat > changes.json <<'END'": 'is a file for the next block',
  'docs/catalog.md: npx weir catalog show openai/gpt-4o-mini > row.json     # the row as it is':
    'changes prices of the deployment; the specs of the operator do',
  'docs/catalog.md: npx weir catalog history': 'changes prices of the deployment; the specs of the operator do',
  'docs/catalog.md: npx weir catalog sync --source https://openrouter.ai/api/v1/models --format openrouter':
    'reads a list of the internet; the specs of the operator read one of their own',
  'docs/clients.md: export WEIR_URL=http://127.0.0.1:4000 WEIR_API_KEY=…     # npm start prints both': 'has a key that the reader fills in',
  'docs/clients.md: export ANTHROPIC_BASE_URL=$WEIR_URL ANTHROPIC_AUTH_TOKEN=$WEIR_API_KEY     # or ANTHROPIC_API_KEY':
    'fetches a client of 200 MB; tried by hand at the version it names',
  'docs/clients.md: npx -y @openai/codex@0.169.0 exec --skip-git-repo-check "say hi"':
    'fetches a client of 200 MB; tried by hand at the version it names',
  'docs/clients.md: npx -y opencode-ai@1.18.33 run -m weir/sandbox/chat "say hi"':
    'fetches a client of 200 MB; tried by hand at the version it names',
  'docs/clients.md: python3 -m venv aider && aider/bin/pip install aider-chat==0.86.2':
    'fetches a client from another registry; tried by hand at the version it names',
  'docs/configuration.md: export WEIR_URL=http://127.0.0.1:4000 WEIR_API_KEY=…': 'has a key that the reader fills in',
  'docs/install.md: docker build -f docker/Dockerfile --target standalone -t weir:standalone .':
    'needs Docker; the file is read by tools/checks',
  'docs/install.md: npm install --global --ignore-scripts ./weir-gateway-0.1.0.tgz':
    'fetches from a registry; the spec of packages packs and starts it',
  'docs/management-clients.md: npm run clients                 # both, from the sources of this checkout':
    'generates; the spec of packages does, and runs what is generated',
  'docs/members.md: curl -sf $WEIR_URL/v1/session -H "Authorization: Bearer $ACCESS_TOKEN" -H \'Content-Type: application/json\' -d \'{"organization_id":"…"}\'':
    'needs a token of an identity provider',
  'docs/provisioning.md: python3 -m venv /tmp/scim': 'fetches from another registry; the spec of SCIM clients does, by checksums',
  'docs/quickstart.md: npm start': 'starts a gateway that runs until it is stopped; the tests of standalone start one',
  'docs/quickstart.md: export WEIR_URL=http://127.0.0.1:4000 WEIR_API_KEY=…': 'has a key that the reader fills in',
  'docs/runbooks.md: OPENAI_API_KEY=none OPENAI_BASE_URL=http://127.0.0.1:9/v1 METRICS_PORT=9460 npm start':
    'starts a gateway that runs until it is stopped; tried by hand, as it says',
  'docs/running-apart.md: node --env-file=apps/management-api/.env apps/management-api/dist/main.js      # brings the schema up to date first':
    'needs Postgres, Redis and Kafka; the specs of services apart start them so',
};

/** Pages whose commands all need the same that is not here, and why. */
const PAGES_NOT_RUN: Readonly<Record<string, string>> = {
  'docs/kubernetes.md': 'needs a cluster; tools/checks renders the chart, tools/cluster installs it on a real API server',
};

/** What a block may name without having set it: the one pair that all pages share, and what only its reader can know. */
const SHARED_VARIABLES = new Set(['WEIR_URL', 'WEIR_API_KEY', 'ACCESS_TOKEN', 'SCIM_KEY']);

function listBlocks(): Block[] {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];
  return pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(FENCE)].map(([, language = '', commands = '']) => ({ page, language, commands })),
  );
}

function nameBlock({ page, commands }: Block): string {
  return `${page}: ${commands.split('\n', 1)[0] ?? ''}`;
}

function listForeignVariables({ commands }: Block): string[] {
  const set = new Set([...commands.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name));
  const used = [...commands.matchAll(/\$\{?([A-Z][A-Z_]+)/g)].map(([, name = '']) => name);
  return used.filter((name) => !set.has(name) && !SHARED_VARIABLES.has(name));
}

describe('the commands of the pages', () => {
  let harness: Harness;
  let folder: string;
  const blocks = listBlocks();
  const runnable = blocks.filter(({ language }) => language === RUNNABLE);
  const isShell = ({ language }: Block): boolean => /^(sh|bash|shell|console)\b/.test(language);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weir-docs-'));
    harness = await startStandalone();
  });
  afterAll(async () => {
    await harness.process.terminate();
    rmSync(folder, { recursive: true });
  });

  it('are all run but those that are listed here with their reason', () => {
    expect(runnable.length).toBeGreaterThan(7);
    expect(runnable.filter(({ page }) => page in PAGES_NOT_RUN)).toEqual([]);
    for (const page of Object.keys(PAGES_NOT_RUN)) expect(blocks.filter((block) => block.page === page)).not.toEqual([]);
    expect(
      blocks
        .filter((block) => isShell(block) && block.language !== RUNNABLE && !(block.page in PAGES_NOT_RUN))
        .map(nameBlock)
        .sort(),
    ).toEqual(Object.keys(NOT_RUN).sort());
  });

  it('are all marked as what they are', () => {
    expect(blocks.filter(({ language }) => language === '').map(nameBlock)).toEqual([]);
    const commands = /^(curl|npm|npx|export|docker|node|kubectl|weir) /m;
    expect(blocks.filter((block) => !isShell(block) && block.language === 'text' && commands.test(block.commands)).map(nameBlock)).toEqual(
      [],
    );
  });

  it('name the same two variables on every page', () => {
    const foreign = blocks.filter(isShell).flatMap((block) => listForeignVariables(block).map((name) => `${name} in ${nameBlock(block)}`));
    expect(foreign).toEqual([]);
  });

  it.each(runnable.map((block, index) => [`${block.page} ${index + 1}`, block] as const))('run: %s', (_, { commands }) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', WEIR_URL: harness.url, WEIR_API_KEY: harness.apiKey },
      encoding: 'utf8',
      timeout: 30_000,
    });

    expect([status, status === 0 ? '' : `${stdout}\n${stderr}`]).toEqual([0, '']);
  });

  it('count the models one by one, although the list is one line', () => {
    const count = runnable.find(({ commands }) => commands.includes('/v1/models/all'))?.commands ?? '';
    const { stdout } = spawnSync('bash', ['-c', count], {
      env: { PATH: process.env['PATH'] ?? '', WEIR_URL: harness.url },
      encoding: 'utf8',
    });

    expect(Number(stdout)).toBeGreaterThan(5);
  });
});
