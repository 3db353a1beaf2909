import { useCallback, useEffect, useRef } from 'react';
import { Button, Icon, IconButton, Money } from '../../design';
import { parseMoney, parseUsd, sumMoney } from '../../format/money';
import type { Model } from '../models/filter-models';
import type { ChatStore, Lane } from './chat-store';
import { findOpenCalls, type Reply, type Round } from './conversation';
import { MessageView } from './message-view';
import { ModelPicker } from './model-picker';
import { ReplyView } from './reply-view';
import { ToolResults } from './tool-results';

const ORDINALS = ['First model', 'Second model', 'Third model'];

type LanePanelProps = {
  readonly lane: Lane;
  readonly isOnly: boolean;
  readonly models: readonly Model[];
  readonly rounds: readonly Round[];
  readonly store: ChatStore;
  /** Whether the settings are such that a request can be made of them. */
  readonly canSend: boolean;
  readonly onModel: (model: string) => void;
  readonly onRemove: () => void;
};

/** One model's conversation. */
export function LanePanel({ lane, isOnly, models, rounds, onModel, onRemove, ...rest }: LanePanelProps) {
  const label = isOnly ? 'Model' : (ORDINALS[lane.index] ?? 'Model');
  return (
    <section className="panel playground-lane" aria-label={`${label}: ${lane.model}`}>
      <div className="playground-lane-head">
        <ModelPicker label={label} models={models} value={lane.model} onChange={onModel} />
        {!isOnly && (
          <IconButton label={`Remove ${lane.model}`} onClick={onRemove}>
            <Icon name="close" size={14} />
          </IconButton>
        )}
      </div>
      <Log rounds={rounds} label={`Conversation with ${lane.model}`} />
      <LaneFoot lane={lane} rounds={rounds} {...rest} />
    </section>
  );
}

/** What can be done with the end of a conversation. */
function LaneFoot({ lane, rounds, store, canSend }: Pick<LanePanelProps, 'lane' | 'rounds' | 'store' | 'canSend'>) {
  const last = rounds.at(-1);
  if (last === undefined || last.reply?.state === 'running') return null;
  const calls = findOpenCalls(rounds);
  const canRepeat = canSend && last.reply?.given === undefined;
  if (calls.length === 0 && !canRepeat) return null;
  return (
    <div className="playground-lane-foot stack">
      {calls.length > 0 && (
        <ToolResults key={calls[0]?.id} calls={calls} canSend={canSend} onSend={(results) => store.sendResults(lane, results)} />
      )}
      {canRepeat && (
        <div className="spread">
          <Button kind="plain" onClick={() => store.again(lane)}>
            {last.reply === undefined ? 'Send the last turn' : 'Send the last turn again'}
          </Button>
          <Total rounds={rounds} />
        </div>
      )}
    </div>
  );
}

/** What the conversation has cost so far, where more than one reply makes it up. */
function Total({ rounds }: { readonly rounds: readonly Round[] }) {
  const replies = rounds.flatMap(({ reply, isCopied }) => (isCopied === true || reply?.served === undefined ? [] : [reply]));
  const costs = replies.flatMap(readCost);
  const unknown = replies.length - costs.length;
  if (replies.length < 2) return null;
  return (
    <span className="quiet">
      {costs.length} replies: <Money amount={sumMoney(costs)} />
      {unknown > 0 && `, and ${unknown} of unknown cost`}
    </span>
  );
}

function readCost({ usage, lateCost }: Reply): bigint[] {
  if (usage?.cost !== undefined) return [parseUsd(usage.cost)];
  return typeof lateCost === 'string' ? [parseMoney(lateCost)] : [];
}

/** How near to its end someone reads who wants to go on seeing the end. */
const NEAR_END = 80;

function Log({ rounds, label }: { readonly rounds: readonly Round[]; readonly label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const look = useCallback(() => {
    const { current } = box;
    if (current !== null) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_END;
  }, []);
  useEffect(() => {
    const { current } = box;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [rounds]);
  return (
    <div className="playground-log" ref={box} onScroll={look} role="group" aria-label={label} tabIndex={0}>
      {rounds.length === 0 && <p className="quiet">Nothing has been sent yet.</p>}
      {rounds.map(({ id, sent, reply }) => (
        <div key={id} className="playground-round">
          {sent.map((message, index) => (
            <MessageView key={index} message={message} />
          ))}
          {reply !== undefined && <ReplyView reply={reply} />}
        </div>
      ))}
    </div>
  );
}
