import { createHash } from 'node:crypto';
import { Command } from 'ioredis';
import type { Redis } from './create-redis';

type Script = {
  /** Rejects in a cluster with what a node says, where the node is given: see `isElsewhere`. */
  runAt(node: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  run(keys: readonly string[], values: readonly (string | number | Buffer)[]): Promise<unknown>;
  /** For keys that are asked about again and again: all but the one text is encoded once. */
  prepare(keys: readonly string[], options?: PrepareOptions): PreparedScript;
};

/**
 * Runs the script with one text as its only argument: a client spends as long on each argument as on a text of many words. `node` is
 * the only one to be asked; of a cluster the one that has the keys where it is not given.
 */
export type PreparedScript = (value: string, node?: Redis) => Promise<unknown>;

type PrepareOptions = {
  /** The caller limits the time itself: the connection sets no timeout for it. */
  readonly isTimed?: boolean;
};

/** A Lua script by its digest; its text is sent only to a server that does not know it. */
export function createScript(redis: Redis, text: string): Script {
  const digest = createHash('sha1').update(text).digest('hex');
  const runAt = async (node: Redis, keys: readonly string[], values: readonly (string | number | Buffer)[]): Promise<unknown> => {
    try {
      return await node.evalsha(digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return node.eval(text, keys.length, ...keys, ...values);
    }
  };
  return {
    runAt,
    run: (keys, values) => runAt(redis, keys, values),
    prepare: (keys, { isTimed = false } = {}) => {
      const head = encodeHead(['evalsha', digest, String(keys.length), ...keys]);
      const slot = slotOf(keys[0] ?? '');
      return async (value, node = redis) => {
        const encoded = `${head}$${Buffer.byteLength(value)}\r\n${value}\r\n`;
        try {
          return await node.sendCommand(new EncodedCommand(digest, { encoded, slot, isTimed }));
        } catch (error) {
          if (!isUnknownScript(error)) throw error;
          return node.eval(text, keys.length, ...keys, value);
        }
      };
    },
  };
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** The slot of a cluster that a key is in: of its hash tag, where it has one. */
export function slotOf(key: string): number {
  return new Command('get', [key]).getSlot() ?? 0;
}

/** A command in the server's own format, up to its last word. */
function encodeHead(words: readonly string[]): string {
  let head = `*${words.length + 1}\r\n`;
  for (const word of words) head += `$${Buffer.byteLength(word)}\r\n${word}\r\n`;
  return head;
}

/** A command that need not be encoded any more: the client spends longer on that than on sending it. */
class EncodedCommand extends Command {
  constructor(
    digest: string,
    private readonly sent: { readonly encoded: string; readonly slot: number; readonly isTimed: boolean },
  ) {
    super('evalsha', [digest], UTF8);
  }

  override getSlot(): number {
    return this.sent.slot;
  }

  override toWritable(socket: object): string {
    if (isGathering(socket)) gather(socket);
    return this.sent.encoded;
  }

  override setTimeout(ms: number): void {
    if (!this.sent.isTimed) super.setTimeout(ms);
  }
}

const UTF8 = { replyEncoding: 'utf8' } as const;

type Gathering = { cork(): void; uncork(): void };

function isGathering(socket: object): socket is Gathering {
  return 'cork' in socket;
}

const gathered = new WeakSet<Gathering>();

/** All that is written before the loop looks for input again leaves in one piece: a reply could not be read any earlier. */
function gather(socket: Gathering): void {
  if (gathered.has(socket)) return;
  gathered.add(socket);
  socket.cork();
  setImmediate(() => {
    gathered.delete(socket);
    socket.uncork();
  });
}
