import { loadEnv } from '@weir/config';
import { standaloneEnv } from '@weir/standalone';
import { DockerfileParser } from 'dockerfile-ast';
import { parse } from 'yaml';
import { read } from './__fixtures__/deployment-files';

type Service = {
  profiles?: string[];
  command?: string[];
  environment?: Record<string, string>;
  networks?: string[];
  volumes?: string[];
  ports?: string[];
  depends_on?: object;
};

const { services } = parse(read('docker', 'compose.yaml'), { merge: true }) as { services: Record<string, Service> };
const { standalone = {} } = services;

/** The words of one stage of the Dockerfile, instruction by instruction. */
function readStage(name: string): { keyword: string; words: string }[] {
  const all = DockerfileParser.parse(read('docker', 'Dockerfile'))
    .getInstructions()
    // With the options of an instruction, which its arguments do not have.
    .map((each) => ({ keyword: each.getKeyword(), words: each.toString().replace(/^\S+\s+/, '') }));
  const start = all.findIndex(({ keyword, words }) => keyword === 'FROM' && words.endsWith(` AS ${name}`));
  const next = all.findIndex(({ keyword }, at) => at > start && keyword === 'FROM');
  return all.slice(start, next === -1 ? undefined : next);
}

describe('the profiles of docker/compose.yaml', () => {
  it('are small, which is the standalone alone, and full, which is all others', () => {
    for (const [name, { profiles }] of Object.entries(services)) {
      expect([name, profiles]).toEqual([name, name === 'standalone' ? ['small'] : ['full']]);
    }
  });

  it('small gets settings that it reads, and needs nothing that is not in it', () => {
    const { environment = {} } = standalone;
    expect(Object.keys(environment).filter((name) => !(name in standaloneEnv.shape))).toEqual([]);
    const values = Object.entries(environment).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')] as const);
    const env = loadEnv(standaloneEnv, Object.fromEntries(values));

    expect(env).toMatchObject({ DATA_DIR: '/data', HOST: '0.0.0.0', METRICS_PORT: 9460, NO_EMBEDDED: false });
    expect([env.DATABASE_URL, env.REDIS_URL, env.KAFKA_BROKERS, standalone.depends_on]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(standalone.volumes).toEqual(['standalone:/data']);
    expect(standalone.ports).toEqual([`127.0.0.1:4000:${env.PORT}`]);
  });
});

describe('the stage standalone of docker/Dockerfile', () => {
  const stage = readStage('standalone');
  const wordsOf = (name: string) => stage.filter(({ keyword }) => keyword === name).map(({ words }) => words);

  it('runs what compose runs, with a volume of its own user at /data', () => {
    expect(JSON.parse(wordsOf('CMD')[0] ?? '[]')).toEqual(standalone.command);
    expect(wordsOf('VOLUME')).toEqual(['/data']);
    expect(wordsOf('USER')).toEqual(['10001:10001']);
    expect(wordsOf('RUN').join()).toContain('chown 10001:10001 /data');
    // initdb asks the system for the name of who runs it.
    expect(wordsOf('RUN').join()).toContain("echo 'weir:x:10001:10001::/data:/usr/sbin/nologin' >> /etc/passwd");
  });

  it('has the settings that compose gives, of those that both set', () => {
    const settings = wordsOf('ENV').flatMap((words) => words.split(' ').map((one) => one.split('=') as [string, string]));
    const common = settings.filter(([name]) => name in (standalone.environment ?? {}));
    expect(common.length).toBeGreaterThan(2);
    for (const [name, value] of common) expect([name, value]).toEqual([name, standalone.environment?.[name]]);
  });

  it('keeps the embedded Postgres, which the services apart do without', () => {
    expect(wordsOf('COPY')).toEqual(['--from=build /src/ ./']);
    expect(
      readStage('runtime')
        .filter(({ keyword }) => keyword === 'COPY')
        .map(({ words }) => words),
    ).toEqual(['--from=services /src/ ./']);
  });
});
