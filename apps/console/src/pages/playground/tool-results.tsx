import { useState } from 'react';
import { Button, TextArea } from '../../design';
import type { Message, ToolCall } from './conversation';

type ToolResultsProps = {
  readonly calls: readonly ToolCall[];
  readonly canSend: boolean;
  readonly onSend: (results: readonly Message[]) => void;
};

/** What the tools that a model has called returned, to be typed in and sent back. */
export function ToolResults({ calls, canSend, onSend }: ToolResultsProps) {
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const isReady = canSend && calls.every(({ id }) => (results[id] ?? '').trim() !== '');
  return (
    <form
      className="stack playground-results"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: results[id] ?? '' })));
      }}
    >
      {calls.map(({ id, name }) => (
        <TextArea
          key={id}
          label={`Result of ${name}`}
          hint="Text or JSON, as your program would send it."
          rows={2}
          value={results[id] ?? ''}
          onChange={(event) => setResults({ ...results, [id]: event.target.value })}
        />
      ))}
      <div>
        <Button type="submit" kind="primary" disabled={!isReady}>
          {calls.length === 1 ? 'Send the result' : 'Send the results'}
        </Button>
      </div>
    </form>
  );
}
