import type { ReactNode } from 'react';
import type { Message } from './conversation';
import { asArray, asRecord, asText, type JsonRecord } from './json';

/** What was sent: a turn of the user, or the result of a tool. */
export function MessageView({ message }: { readonly message: Message }) {
  const { content } = message;
  const result = asText(message['tool_call_id']);
  return (
    <div className="playground-sent">
      <p className="playground-role">{result === undefined ? describeRole(message.role) : 'Result of a tool'}</p>
      {typeof content === 'string' ? (
        <p className="playground-words">{content}</p>
      ) : (
        asArray(content).map((part, index) => <PartView key={index} part={asRecord(part) ?? {}} />)
      )}
    </div>
  );
}

function PartView({ part }: { readonly part: JsonRecord }): ReactNode {
  if (part['type'] === 'text') return <p className="playground-words">{asText(part['text'])}</p>;
  const image = part['image_url'];
  const url = asText(image) ?? asText(asRecord(image)?.['url']);
  if (url?.startsWith('data:image/') === true) return <img className="playground-thumb" src={url} alt="Attached" />;
  const name = asText(asRecord(part['file'])?.['filename']) ?? asText(part['filename']) ?? url ?? String(part['type']);
  return <p className="quiet playground-file">{name}</p>;
}

function describeRole(role: string): string {
  return role === 'user' ? 'You' : role.replace(/^./, (letter) => letter.toUpperCase());
}
