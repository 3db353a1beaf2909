import type { UpstreamCall, UpstreamResponse } from '@weir/upstream-http';
import type { JsonRecord } from '@weir/canonical';
import type { Directives } from './read-directives';

/** One file of a form as the sandbox received it. */
export type SandboxFile = { readonly field: string; readonly name: string; readonly bytes: Buffer };

/** What a call asks: a JSON body, or the fields and files of a form. */
export type SandboxQuestion = {
  readonly body: JsonRecord;
  /** Of a JSON body. */
  readonly text: string;
  readonly files: readonly SandboxFile[];
};

/** How the sandbox replies on one path. */
export type SandboxEndpoint = {
  /** The models it has there, in their names upstream. */
  readonly models: ReadonlySet<unknown>;
  /** Says what is wrong with a request; undefined for one that can be answered. */
  findFault(question: SandboxQuestion): string | undefined;
  readDirectives(question: SandboxQuestion): Directives;
  answer(call: UpstreamCall, question: SandboxQuestion & { readonly directives: Directives }): UpstreamResponse | Promise<UpstreamResponse>;
};
