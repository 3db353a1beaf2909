import { startEmbeddedPostgres } from '@weir/embedded-postgres';
import { makeTestFolder } from '../folders';
import { endWithProcess } from './end-with-process';

export type OwnPostgres = {
  readonly url: string;
  /** Ends it as an upgrade does; connections to it are refused from then on. */
  halt(): Promise<void>;
  /** On the data and the port that it had. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

/** A Postgres that no other suite uses, with nothing in it: it may be away for a while. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = makeTestFolder('own-postgres');
  const settings = { max_connections: '200' };
  let server = await startEmbeddedPostgres({ directory, settings });
  let ending = endWithProcess(server.pid);
  const { url, port } = server;
  const halt = async (): Promise<void> => {
    ending.release();
    await server.stop();
  };
  return {
    url,
    halt,
    resume: async () => {
      server = await startEmbeddedPostgres({ directory, port, settings });
      ending = endWithProcess(server.pid);
    },
    stop: halt,
  };
}
