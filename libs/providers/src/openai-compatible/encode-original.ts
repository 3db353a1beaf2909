import { editOriginal, readMember, type OriginalBody } from '@weir/canonical';
import type { ExpressCall, ProviderTarget } from '../provider/target';
import { asRecord, parseJson } from '../wire/json-value';
import type { CompatibleProvider } from './rules/compatible-provider.schema';
import { isEffort, nearestEffort } from './nearest-effort';
import { planParamRules, type ParamRules } from './plan-param-rules';
import { MemberEdits, rewriteMessages, rewriteWebSearch } from './rewrite-members';

/**
 * The caller's own body with the edits this provider needs and no others. Members that need a look inside are found by
 * a plain text search first, so that an ordinary request is never parsed again.
 */
export function createEncodeOriginal(
  provider: CompatibleProvider,
): (body: OriginalBody, target: ProviderTarget, stream: boolean) => ExpressCall {
  const rulesOf = planParamRules(provider);
  return (body, target, stream) => {
    const edits = new MemberEdits();
    edits.set.set('model', JSON.stringify(target.attempt.upstreamModel));
    editStreaming(body, { stream, style: provider.streamUsage }, edits);
    editParams(body, rulesOf(target.model), edits);
    editEffort(body, provider, edits);
    rewriteMessages(body, { provider, target }, edits);
    rewriteWebSearch(body, { provider, target }, edits);
    const call = { path: provider.endpoints.chat, body: editOriginal(body, edits) };
    const { dropped, approximated } = edits;
    return dropped.length + approximated.length === 0 ? call : { ...call, dropped, approximated };
  };
}

function editStreaming(
  body: OriginalBody,
  wanted: { stream: boolean; style: CompatibleProvider['streamUsage'] },
  edits: MemberEdits,
): void {
  if ((readMember(body, 'stream') === 'true') !== wanted.stream) edits.set.set('stream', String(wanted.stream));
  if (!wanted.stream) return;
  if (wanted.style !== 'on-request') {
    edits.takeOut('stream_options');
    return;
  }
  const asked = readMember(body, 'stream_options');
  const options = asked === undefined ? undefined : asRecord(parseJson(asked));
  if (options?.['include_usage'] === true) return;
  edits.set.set('stream_options', options === undefined ? '{"include_usage":true}' : JSON.stringify({ ...options, include_usage: true }));
}

function editParams(body: OriginalBody, rules: ParamRules, edits: MemberEdits): void {
  for (const name of rules.drop) {
    const value = readMember(body, name);
    if (value === undefined) continue;
    edits.takeOut(name);
    if (value !== 'null') edits.noteDropped(name);
  }
  for (const [from, to] of rules.rename) {
    const value = readMember(body, from);
    if (value === undefined) continue;
    edits.takeOut(from);
    if (readMember(body, to) === undefined) edits.set.set(to, value);
  }
  for (const [name, value] of rules.defaults) {
    if (readMember(body, name) === undefined) edits.set.set(name, JSON.stringify(value));
  }
}

/** Words for efforts that this provider does not know become the nearest it does. */
function editEffort(body: OriginalBody, provider: CompatibleProvider, edits: MemberEdits): void {
  const reported = provider.efforts.length === 0 ? undefined : readMember(body, 'reasoning_effort');
  const asked = reported === undefined ? undefined : parseJson(reported);
  if (!isEffort(asked)) return;
  const effort = nearestEffort(asked, provider);
  if (effort === asked) return;
  edits.set.set('reasoning_effort', JSON.stringify(effort));
  edits.noteApproximated('reasoning_effort');
}
