import { GatewayError } from '@weir/errors';
import { createLogger } from '@weir/telemetry';
import { openDeployment } from './open-deployment';
import { runCommandLine, type CommandLine } from './run-command-line';

async function complain(line: string, open: CommandLine['open']): Promise<{ code: number; complaint: string }> {
  let complaint = '';
  const args = line.split(' ');
  const code = await runCommandLine({
    ...{
      args,
      open,
      dataDirectory: () => '/nowhere',
      accountsFile: () => undefined,
      print: () => undefined,
      complain: (text) => (complaint += text),
    },
    client: { gateway: refuse, variable: () => undefined, isTerminal: false, isColoured: false },
  });
  return { code, complaint };
}
function refuse(): never {
  throw new Error('not asked for');
}
const refuseWith = (error: Error) => (): Promise<never> => Promise.reject(error);

describe('what the command line says when it cannot', () => {
  it('is which option there is not', async () => {
    expect(await complain('organization create --name A --colour red', refuseWith(new Error('not needed')))).toEqual({
      code: 2,
      complaint: 'weir: there is no option --colour. See weir organization create --help.\n',
    });
  });

  it('is code 2 for what the interface does not take, and 1 for what could not be done', async () => {
    const refused = new GatewayError('invalid_request', '`name` is not valid.', { field: 'name' });

    expect(await complain('usage writers', refuseWith(refused))).toMatchObject({ code: 2 });
    expect(await complain('usage writers', refuseWith(new Error('no')))).toEqual({ code: 1, complaint: 'weir: no\n' });
  });

  it('names the service that cannot be reached', async () => {
    const env = {
      DATABASE_URL: 'postgres://weir:weir@127.0.0.1:1/weir',
      KEY_PEPPER: 'a pepper of thirty-two characters',
      DATA_DIR: '/nowhere',
      FETCH_PORTS: [443],
      FETCH_PRIVATE_NETWORKS: [],
      ...{ NO_EMBEDDED: false, FAILPOINTS_ALLOWED: false },
      NEWER_DATA_ALLOWED: false,
      BALANCE_REQUIRED: false,
    };
    const open = () => openDeployment(env, createLogger({ service: 'weir', level: 'silent' }));

    expect(await complain('usage writers', open)).toEqual({
      code: 1,
      complaint: 'weir: Postgres cannot be reached at DATABASE_URL (connect ECONNREFUSED 127.0.0.1:1).\n',
    });
  });
});
