import { Socket } from 'node:net';
import { createConnectionGiver } from './give-connections';

function createServer(isReady: boolean) {
  const served: Socket[] = [];
  return {
    served,
    ready: isReady ? {} : undefined,
    serve: (socket: Socket) => void served.push(socket),
    takeBack: () => served.splice(0),
  };
}

describe('giving connections', () => {
  it('gives each of those that are ready its turn', () => {
    const servers = [createServer(true), createServer(false), createServer(true)];
    const giver = createConnectionGiver(servers);
    for (let count = 0; count < 10; count += 1) giver.give(new Socket());
    expect(servers.map(({ served }) => served.length)).toEqual([5, 0, 5]);
  });

  it('lets connections wait while none is ready, and gives those again that were never taken', () => {
    const servers = [createServer(false), createServer(false)];
    const giver = createConnectionGiver(servers);
    const sockets = [new Socket(), new Socket()];
    sockets.forEach(giver.give);
    expect(servers.flatMap(({ served }) => served)).toEqual([]);

    servers[0]!.ready = {};
    giver.look();
    expect(servers[0]!.served).toEqual(sockets);
    servers[0]!.ready = undefined;
    servers[1]!.ready = {};
    giver.giveAgain(servers[0]!);
    expect(servers[1]!.served).toEqual(sockets);
  });

  it('ends what still waits when it is closed', () => {
    const giver = createConnectionGiver([createServer(false)]);
    const socket = new Socket();
    giver.give(socket);
    giver.close();
    expect(socket.destroyed).toBe(true);
  });
});
