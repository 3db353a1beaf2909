import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, explain, unwrap, type Schemas } from '../../api';
import { Badge, Button, Notice, Segments, TextArea } from '../../design';
import { markFindings } from './mark-findings';

type Ask = Pick<Schemas['TestGuardrail'], 'guardrail' | 'guardrail_ids'>;
type Tested = { readonly text: string; readonly result: Schemas['GuardrailTest'] };

type GuardrailTryProps = {
  /** Undefined: there is nothing to try yet. */
  readonly ask: Ask | undefined;
  readonly title: string;
};

const STAGES = [
  { value: 'input', label: 'As a request' },
  { value: 'output', label: 'As a reply' },
] as const;

/** A box for a text: what guardrails find in it. It is sent to the gateway and nowhere else, and kept by no one. */
export function GuardrailTry({ ask, title }: GuardrailTryProps) {
  const [text, setText] = useState('');
  const [stage, setStage] = useState<'input' | 'output'>('input');
  const test = useMutation({
    // Nor does this page keep it: it is gone with the box.
    gcTime: 0,
    mutationFn: async (tried: Ask): Promise<Tested> => ({
      text,
      result: await unwrap(api.POST('/v1/manage/guardrail/test', { body: { text, stage, ...tried } })),
    }),
  });
  const isReady = ask !== undefined && text !== '';
  return (
    <section className="rules-try stack" aria-label={title}>
      <h3>{title}</h3>
      <TextArea
        label="A text to try"
        hint="It is neither kept nor logged. Scanners are not asked."
        rows={3}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="spread">
        <Segments label="Looked at" value={stage} options={STAGES} onChange={setStage} />
        <Button isBusy={test.isPending} disabled={!isReady} onClick={() => ask !== undefined && test.mutate(ask)}>
          Try it
        </Button>
      </div>
      {test.error !== null && <Notice kind="bad">{explain(test.error)}</Notice>}
      {test.data !== undefined && <TryResult tested={test.data} />}
    </section>
  );
}

const OUTCOMES = {
  passed: { kind: 'good', text: 'Nothing was found: it goes on as it is.' },
  flagged: { kind: 'warn', text: 'It goes on as it is, and usage says that something was found.' },
  masked: { kind: 'warn', text: 'It goes on with placeholders.' },
  blocked: { kind: 'bad', text: 'It does not go on.' },
} as const;

function TryResult({ tested: { text, result } }: { readonly tested: Tested }) {
  const { kind, text: meaning } = OUTCOMES[result.outcome];
  return (
    <div className="stack" role="status">
      <p>
        <Badge kind={kind}>{result.outcome}</Badge> {meaning}
      </p>
      {result.findings.length > 0 && (
        <>
          <p className="rules-marked">
            {markFindings(text, result.findings).map(({ text: piece, findings }, index) =>
              findings.length === 0 ? (
                <span key={index}>{piece}</span>
              ) : (
                <mark key={index} data-tip={findings.map(({ detector, action }) => `${detector}: ${action}`).join(', ')}>
                  {piece}
                </mark>
              ),
            )}
          </p>
          <ul className="administration-list">
            {result.findings.map(({ guardrail, detector, action, start, end }) => (
              <li key={`${guardrail.id} ${detector} ${start} ${end}`}>
                <b>{detector}</b> of “{guardrail.name}” finds “{text.slice(start, end)}” ({action})
              </li>
            ))}
          </ul>
        </>
      )}
      {result.outcome === 'masked' && (
        <div>
          <h4 className="quiet">What goes on</h4>
          <p className="rules-marked">{result.text}</p>
        </div>
      )}
      {result.not_asked.map(({ guardrail, reason }) => (
        <p key={`${guardrail.id} ${reason}`} className="quiet">
          “{guardrail.name}” {reason === 'stage' ? 'does not look at this stage.' : 'also asks a scanner, which was not asked here.'}
        </p>
      ))}
    </div>
  );
}
