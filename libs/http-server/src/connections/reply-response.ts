import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

/** What needs no second look: anything else goes to node, which refuses what may not be in a header. */
const PLAIN_VALUE = /^[\x20-\x7e]*$/;

/**
 * A response whose headers are a list of names and values while they are only added: node checks, copies and looks up each
 * header that is set, and reads all of them back for the head. Where anything else is done to them, they are node's from there on.
 */
export class ReplyResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Lower-case names and values in turn; undefined once they are node's. */
  private added: string[] | undefined = [];

  addHeader(name: string, value: string): void {
    const { added } = this;
    if (added === undefined || this.headersSent || !PLAIN_VALUE.test(value)) {
      this.setHeader(name, value);
      return;
    }
    const at = findName(added, name);
    if (at === -1) added.push(name, value);
    else added[at + 1] = value;
  }

  override writeHead(...head: [status: number, ...rest: never[]]): this {
    const { added } = this;
    if (added === undefined || this.headersSent) return super.writeHead(...head);
    if (head.length === 1) return super.writeHead(head[0], added);
    this.handOver();
    return super.writeHead(...head);
  }

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.handOver();
    return super.setHeader(name, value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    this.handOver();
    return super.appendHeader(name, value);
  }

  override removeHeader(name: string): void {
    this.handOver();
    super.removeHeader(name);
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    const { added } = this;
    if (added === undefined) return super.getHeader(name);
    const at = findName(added, name.toLowerCase());
    return at === -1 ? undefined : added[at + 1];
  }

  override hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  override getHeaders(): OutgoingHttpHeaders {
    const { added } = this;
    if (added === undefined) return super.getHeaders();
    const headers: OutgoingHttpHeaders = {};
    for (let index = 0; index < added.length; index += 2) headers[added[index] as string] = added[index + 1];
    return headers;
  }

  override getHeaderNames(): string[] {
    return Object.keys(this.getHeaders());
  }

  /** Gives the list to node, in its order. That of a head that was sent stays for those who read it. */
  handOver(): void {
    const { added } = this;
    if (added === undefined || this.headersSent) return;
    this.added = undefined;
    for (let index = 0; index < added.length; index += 2) super.setHeader(added[index] as string, added[index + 1] as string);
  }
}

/** Sets a header of a response, at the least cost where nothing else is done to its headers; lower-case names. */
export function addHeader(response: ServerResponse, name: string, value: string): void {
  if (response instanceof ReplyResponse) response.addHeader(name, value);
  else response.setHeader(name, value);
}

/** Sends the head of a response where nothing of it has been sent yet. */
export function flushHead(response: ServerResponse): void {
  if (!response.headersSent && !response.destroyed) response.flushHeaders();
}

/** For code that gives a response other methods, as Express does: its headers are node's from here on. */
export function handOverHeaders(response: ServerResponse): void {
  if (response instanceof ReplyResponse) response.handOver();
}

function findName(added: readonly string[], name: string): number {
  for (let index = 0; index < added.length; index += 2) if (added[index] === name) return index;
  return -1;
}
