import { GatewayError } from '@weir/errors';
import multer from 'multer';
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { DiskQuota } from './disk-quota';
import { explainFormError, refuseFullDisk, refuseLargeForm } from './explain-form-error';
import { baseFieldName, type FormRules } from './form-rules';
import { openNamelessFile, type NamelessFile } from './nameless-file';
import type { FormField, FormFile, ReceivedForm } from './received-form';
import { SNIFFED_BYTES, sniffFileType } from './sniff-file-type';

type FormBounds = {
  readonly directory: string;
  readonly quota: DiskQuota;
  readonly fileBytesMax: number;
  readonly areDigested: boolean;
  /** All of the body. */
  readonly bytesMax: number;
};

const FIELDS_MAX = 200;
const FIELD_NAME_LENGTH_MAX = 200;
const FIELD_BYTES_MAX = 4 * 1024 ** 2;
/** Fields are kept in memory, all of a form's together within this. */
export const FIELD_BYTES_TOTAL_MAX = 8 * 1024 ** 2;
const FILE_NAME_LENGTH_MAX = 255;

type FormAsk = { readonly request: IncomingMessage; readonly rules: FormRules };
type Settle = { resolve(form: ReceivedForm): void; reject(error: unknown): void };
type PartFacts = { readonly filename?: string; readonly nameTruncated?: boolean; readonly valueTruncated?: boolean };

/** One form on its way in: multer takes it apart, this bounds it and keeps its files. */
export class FormReception {
  private readonly fields: FormField[] = [];
  private readonly files: (FormFile | undefined)[] = [];
  private readonly opened: Promise<NamelessFile>[] = [];
  private readonly counts = new Map<string, number>();
  private fieldBytes = 0;
  private storedBytes = 0;
  private takenBytes = 0;
  private receivedBytes = 0;
  private isOver = false;
  private isDiscarded = false;
  private stopFeeding: () => void = () => undefined;

  constructor(
    private readonly ask: FormAsk,
    private readonly bounds: FormBounds,
    private readonly settle: Settle,
  ) {}

  start(): void {
    const { bytesMax, fileBytesMax } = this.bounds;
    const declared = Number(this.ask.request.headers['content-length'] ?? 0);
    if (declared > bytesMax) return this.fail(refuseLargeForm('The request body', bytesMax));
    if (!this.takeDisk(declared)) return this.fail(refuseFullDisk());
    const options: multer.Options & { streamHandler(request: IncomingMessage, parser: Writable): void } = {
      storage: {
        _handleFile: (_request, file, done) => void this.keep(file, done),
        _removeFile: (_request, _file, done) => done(null), // all files of a form go together
      },
      limits: { fieldSize: FIELD_BYTES_MAX, fields: FIELDS_MAX, fileSize: fileBytesMax, parts: FIELDS_MAX * 2 },
      defParamCharset: 'utf8',
      fileFilter: (_request, { fieldname }, done) => {
        const refusal = this.countFile(fieldname);
        if (refusal === undefined) return done(null, true);
        this.fail(refusal);
        done(refusal);
      },
      streamHandler: (_request, parser) => this.feed(parser),
    };
    const receive = multer(options).any();
    void receive(this.ask.request as Request, {} as Response, (error: unknown) => {
      if (error === undefined || error === null) this.finish();
      else this.fail(explainFormError(error));
    });
  }

  /** Multer itself reports an error only when the body has come to its end: too late for one that is too large. */
  private feed(parser: Writable): void {
    const { bounds } = this;
    const { request } = this.ask;
    parser.on('field', (name: string | undefined, value: string, facts: PartFacts) => this.keepField(name ?? '', value, facts));
    parser.on('file', (name: string | undefined, stream: Readable, { filename }: PartFacts) => {
      stream.on('limit', () => this.fail(refuseLargeForm(`The file in ${name ?? 'the form'}`, bounds.fileBytesMax)));
      if (filename === undefined) stream.on('data', () => this.fail(invalid(name ?? '', 'must come with the name of its file')));
    });
    parser.on('error', (error: unknown) => this.fail(explainFormError(error)));
    request.on('data', (chunk: Buffer) => {
      this.receivedBytes += chunk.length;
      if (this.receivedBytes > bounds.bytesMax) this.fail(refuseLargeForm('The request body', bounds.bytesMax));
    });
    this.stopFeeding = () => {
      request.unpipe(parser);
      // Not at once: it may still be reporting what made the form fail.
      setImmediate(() => parser.destroy());
    };
    request.pipe(parser);
  }

  private keepField(name: string, value: string, { valueTruncated }: PartFacts): void {
    if (name === '' || name.length > FIELD_NAME_LENGTH_MAX) {
      return this.fail(invalid(name.slice(0, 64), `must have a name of at most ${FIELD_NAME_LENGTH_MAX} characters`));
    }
    this.fieldBytes += Buffer.byteLength(value);
    if (valueTruncated === true) return this.fail(refuseLargeForm(`The field ${name}`, FIELD_BYTES_MAX));
    if (this.fieldBytes > FIELD_BYTES_TOTAL_MAX) return this.fail(refuseLargeForm('What the fields hold together', FIELD_BYTES_TOTAL_MAX));
    this.fields.push({ name, value });
  }

  private countFile(field: string): GatewayError | undefined {
    const name = baseFieldName(field);
    const most = Object.hasOwn(this.ask.rules.files, name) ? (this.ask.rules.files[name] ?? 0) : 0;
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    if (count <= most) return undefined;
    const allowed = most === 0 ? 'takes no file here' : `takes at most ${most} ${most === 1 ? 'file' : 'files'}`;
    return invalid(field.slice(0, FIELD_NAME_LENGTH_MAX), allowed);
  }

  private async keep(file: Express.Multer.File, done: (error?: unknown) => void): Promise<void> {
    try {
      await this.store(file);
      done();
    } catch (error) {
      this.fail(explainFormError(error));
      done(error);
    }
  }

  private async store(file: Express.Multer.File): Promise<void> {
    if (this.isOver) throw new Error('the form has been refused');
    const place = this.files.push(undefined) - 1;
    const opening = openNamelessFile(this.bounds.directory);
    this.opened.push(opening);
    const stored = await opening;
    const hash = this.bounds.areDigested ? createHash('sha256') : undefined;
    let head: Buffer = Buffer.alloc(0);
    let size = 0;
    for await (const piece of file.stream) {
      const chunk = piece as Buffer;
      size += chunk.length;
      this.storedBytes += chunk.length;
      if (!this.takeDisk(this.storedBytes - this.takenBytes)) throw refuseFullDisk();
      if (head.length < SNIFFED_BYTES) head = Buffer.concat([head, chunk.subarray(0, SNIFFED_BYTES)]);
      hash?.update(chunk);
      await stored.append(chunk);
    }
    this.files[place] = {
      field: file.fieldname,
      name: file.originalname.slice(-FILE_NAME_LENGTH_MAX),
      type: sniffFileType(head),
      size,
      ...(hash === undefined ? {} : { digest: hash.digest('hex') }),
      read: () => stored.read(size),
    };
  }

  private takeDisk(bytes: number): boolean {
    if (bytes <= 0) return true;
    if (!this.bounds.quota.take(bytes)) return false;
    this.takenBytes += bytes;
    return true;
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    const unused = this.takenBytes - this.storedBytes;
    this.takenBytes -= unused;
    this.bounds.quota.giveBack(unused);
    const files = this.files.filter((file) => file !== undefined);
    this.settle.resolve({ fields: this.fields, files, discard: () => this.discard() });
  }

  private fail(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stopFeeding();
    void this.discard().then(() => this.settle.reject(error));
  }

  private async discard(): Promise<void> {
    if (this.isDiscarded) return;
    this.isDiscarded = true;
    this.bounds.quota.giveBack(this.takenBytes);
    await Promise.all(this.opened.map((opening) => opening.then((file) => file.close()).catch(() => undefined)));
  }
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('invalid_request', `${field === '' ? 'A part of the form' : field} ${why}.`, { field });
}
