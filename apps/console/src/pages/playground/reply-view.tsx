import { useState } from 'react';
import { Badge, Button, CopyButton, Notice } from '../../design';
import type { Reply, ToolCall } from './conversation';
import { FailureNotice } from './failure-notice';
import { parseJson } from './json';
import { ReplyFigures } from './reply-figures';
import { ReplyText } from './reply-text';

/** What a model replied, as far as it has come. */
export function ReplyView({ reply }: { readonly reply: Reply }) {
  const [isRaw, setRaw] = useState(false);
  const { text, reasoning, refusal, calls, failure, state, served } = reply;
  return (
    <div className="playground-reply">
      <ReplyHead reply={reply} isRaw={isRaw} onRaw={setRaw} />
      {reasoning !== '' && <Reasoning text={reasoning} isOpen={text === '' && state === 'running'} />}
      {text !== '' && <ReplyText text={text} isRaw={isRaw} />}
      {refusal !== '' && (
        <Notice kind="warn">
          The model refused: <span className="playground-words">{refusal}</span>
        </Notice>
      )}
      {calls.map((call, index) => (
        <CallView key={index} call={call} isWhole={state !== 'running'} />
      ))}
      {state === 'running' && text === '' && calls.length === 0 && <p className="quiet">Waiting for the first token…</p>}
      {failure !== undefined && (
        <FailureNotice failure={failure} kind={state === 'stopped' ? 'warn' : 'bad'}>
          {text === '' && ' It is no part of the conversation that is sent on.'}
        </FailureNotice>
      )}
      <Notes notes={served?.notes} />
      <ReplyFigures reply={reply} />
    </div>
  );
}

/** Open while there is nothing else to read. */
function Reasoning({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  return (
    <details className="playground-reasoning" open={isOpen}>
      <summary>Reasoning</summary>
      <ReplyText text={text} isRaw />
    </details>
  );
}

type ReplyHeadProps = { readonly reply: Reply; readonly isRaw: boolean; readonly onRaw: (isRaw: boolean) => void };

const HAS_CODE = /^ {0,3}(?:```|~~~)/m;

function ReplyHead({ reply: { model, text, state }, isRaw, onRaw }: ReplyHeadProps) {
  return (
    <div className="spread">
      <p className="playground-role">{model}</p>
      {text !== '' && state !== 'running' && (
        <span className="row">
          {HAS_CODE.test(text) && (
            <Button kind="plain" aria-pressed={isRaw} onClick={() => onRaw(!isRaw)}>
              Raw
            </Button>
          )}
          <CopyButton text={text} label="Copy the reply" />
        </span>
      )}
    </div>
  );
}

function CallView({ call: { name, text }, isWhole }: { readonly call: ToolCall; readonly isWhole: boolean }) {
  const value = isWhole ? parseJson(text) : undefined;
  return (
    <div className="playground-code">
      <div className="row">
        <Badge>Calls</Badge> <code>{name}</code>
      </div>
      <pre tabIndex={0}>{value === undefined ? text : JSON.stringify(value, null, 2)}</pre>
    </div>
  );
}

/** What was left out or changed on the way. */
export function Notes({ notes = [] }: { readonly notes?: readonly string[] | undefined }) {
  return notes.map((note) => (
    <p key={note} className="quiet">
      {note}
    </p>
  ));
}
