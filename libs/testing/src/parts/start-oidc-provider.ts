import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithProcess } from './end-with-process';
import { findFreePort } from './find-free-port';

/** What the provider says of a person, by the name that they sign in with. */
export type OidcAccounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type OidcProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Changes what is said of people from their next sign-in on. */
  setAccounts(accounts: OidcAccounts): Promise<void>;
  stop(): Promise<void>;
};

const PROGRAM = join(__dirname, '..', '..', 'programs', 'serve-oidc-provider.mjs');
const CLIENT = { client_id: 'weir', client_secret: 'a secret of the tests with some length' };

/** A certified provider of OpenID Connect, at another site than `127.0.0.1`. All who have an account sign in with any password. */
export async function startOidcProvider(redirectUri: string, accounts: OidcAccounts): Promise<OidcProvider> {
  const port = await findFreePort();
  const client = { ...CLIENT, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_basic' };
  const settings = JSON.stringify({ port, clients: [client], accounts });
  const child = spawn(process.execPath, [PROGRAM, settings], { stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ending = endWithProcess(child.pid ?? -1);
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('ready at')) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => reject(new Error(`the provider ended with code ${code}: ${said}`)));
  });
  const issuer = `http://localhost:${port}`;
  return {
    ...{ issuer, clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret },
    setAccounts: async (changed) => {
      await fetch(`${issuer}/test/accounts`, { method: 'PUT', body: JSON.stringify(changed) });
    },
    stop: async () => {
      ending.release();
      child.kill('SIGKILL'); // nothing of it lasts
      await gone;
    },
  };
}
