import { Button, CopyButton, Notice, Time } from '../../../design';
import type { Schemas } from '../../../api';
import { openInPlayground } from '../../playground/open-in-playground';
import { readReply } from './read-reply';
import { readRequest, type Said } from './read-said';
import { readRepeatable, writeCurl } from './repeat-request';

type Contents = Schemas['RequestContents'];
type ContentsViewProps = { readonly endpoint: string; readonly contents: Contents };

export function ContentsView({ endpoint, contents: { request, response, kept_until: keptUntil } }: ContentsViewProps) {
  return (
    <>
      <p className="quiet">
        As the caller sent and got it; headers are not kept. It is deleted on <Time at={keptUntil} form="second" />.
      </p>
      <Again endpoint={endpoint} request={request} />
      <Part
        title="Sent"
        body={request.body}
        said={readRequest(endpoint, request.body)}
        notice={request.is_cut ? 'Only the beginning of this body is kept: it was longer than 256 KiB.' : undefined}
      />
      <Part
        title={response.status === 200 ? 'Returned' : `Returned, with status ${response.status}`}
        body={response.body}
        said={readReply(response.body, response.content_type)}
        notice={
          response.is_cut ? 'Not all of this reply is here: it was longer than 256 KiB, or the caller left before its end.' : undefined
        }
      />
    </>
  );
}

function Again({ endpoint, request }: { readonly endpoint: string; readonly request: Contents['request'] }) {
  const asked = { endpoint, body: request.body, isCut: request.is_cut };
  const curl = writeCurl(asked, window.location.origin);
  const repeatable = readRepeatable(asked);
  if (curl === undefined) return null;
  return (
    <div className="row">
      {repeatable !== undefined && <Button onClick={() => void openInPlayground(repeatable)}>Run again in the playground</Button>}
      <span className="row contents-curl">
        <CopyButton text={curl} label="Copy as curl" />
        <span className="quiet">
          Copy as curl, with <code>$WEIR_API_KEY</code> for the key
        </span>
      </span>
    </div>
  );
}

type PartProps = {
  readonly title: string;
  readonly body: string;
  readonly said: readonly Said[] | undefined;
  readonly notice: string | undefined;
};

/** One side: as a conversation where it can be read as one, and as it came over the wire. */
function Part({ title, body, said, notice }: PartProps) {
  return (
    <div className="stack contents-part">
      <h3>{title}</h3>
      {notice !== undefined && <Notice>{notice}</Notice>}
      {said === undefined ? <Raw title={title} body={body} /> : <Conversation said={said} />}
      {said !== undefined && (
        <details className="contents-raw">
          <summary>As it went over the wire</summary>
          <Raw title={title} body={body} />
        </details>
      )}
    </div>
  );
}

function Conversation({ said }: { readonly said: readonly Said[] }) {
  return (
    <ol className="contents-said">
      {said.map(({ role, text }, index) => (
        <li key={index} className="contents-message">
          <span className="contents-role">{role}</span>
          <div className="contents-text">{text === '' ? <span className="quiet">nothing</span> : text}</div>
        </li>
      ))}
    </ol>
  );
}

function Raw({ title, body }: { readonly title: string; readonly body: string }) {
  return (
    <div className="contents-body">
      <div className="contents-copy">
        <CopyButton text={body} label={`Copy what was ${title.startsWith('Sent') ? 'sent' : 'returned'}`} />
      </div>
      <pre tabIndex={0} aria-label={`${title}, as it went over the wire`}>
        {layOut(body)}
      </pre>
    </div>
  );
}

/** Whole JSON is easier to read over several lines; anything else stays as it is. */
function layOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
