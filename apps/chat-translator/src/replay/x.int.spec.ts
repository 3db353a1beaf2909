import { listChatCaptures } from './__fixtures__/captured/chat-captures';
import { readCapture } from './__fixtures__/captured/read-capture';
import { writeFileSync } from 'node:fs';
it('x', () => {
  const { captures, leftOut } = listChatCaptures();
  const t: Record<string, number> = {};
  for (const l of leftOut) t[l.reason] = (t[l.reason] ?? 0) + 1;
  const p: Record<string, number> = {};
  for (const c of captures) { const k = `${c.provider} ${c.family} ${c.isStream}`; p[k] = (p[k] ?? 0) + 1; }
  writeFileSync('/tmp/cls.txt', JSON.stringify({ n: captures.length, t, p }, null, 1) + '\n' + leftOut.filter(l => !/request|translation/.test(l.reason)).map((l) => l.reason + ' | ' + l.name).join('\n') + '\n\n' + captures.map((c) => { const r = readCapture(c); return [c.provider, c.family, c.isStream ? 's' : 'w', c.model, r.ending, r.status, r.stop, 't' + r.text.length, 'r' + r.reasoning.length, 'c' + r.calls.length, 'ref' + r.refusal.length, JSON.stringify(r.usage && Object.values(r.usage)), r.citations.length, r.hasOtherCitations, c.name].join(' '); }).join('\n'));
});
