import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useSession } from '../../api';
import { Button, Notice } from '../../design';
import type { Model } from '../models/filter-models';
import { openChatStore, type ChatState, type ChatStore, type Lane } from './chat-store';
import { buildChatBody, writePrompt } from './build-chat-body';
import { CodeButton, type CodeRequest } from './code-dialog';
import { Composer } from './composer';
import { findOpenCalls } from './conversation';
import { LanePanel } from './lane-panel';
import { ModelPicker } from './model-picker';
import { takeOfferedBody } from './offered-body';
import { findDraftErrors, type DraftErrors } from './parameters';
import { LANES_MAX } from './playground-search';
import { readChatBody } from './read-chat-body';
import { ReplyNews } from './reply-news';
import { SettingsPanel } from './settings-panel';

type ChatTabProps = {
  readonly models: readonly Model[];
  /** As the address has them. */
  readonly chosen: readonly string[] | undefined;
  readonly onChoose: (models: readonly string[]) => void;
};

/** Costs nothing and needs no account: the first that someone new tries. */
const FIRST_MODEL = 'sandbox/chat';

/** Up to three models on one prompt. */
export function ChatTab({ models, chosen, onChoose }: ChatTabProps) {
  const store = useChatStore();
  const state = useSyncExternalStore(store.subscribe, store.read);
  const names = chosen ?? choosePlaces(state, models);
  useEffect(() => {
    if (chosen === undefined && names.length > 0) onChoose(names);
    store.place(names);
  });
  // As one text, because the list is another one at each rendering.
  const listed = names.join('\n');
  const lanes = useMemo(
    () => (listed === '' ? [] : listed.split('\n')).map((model, index): Lane => ({ index, model, known: findModel(models, model) })),
    [listed, models],
  );
  return <ChatParts store={store} state={state} lanes={lanes} models={models} onChoose={onChoose} />;
}

function findModel(models: readonly Model[], name: string): Model | undefined {
  return models.find(({ id }) => id === name);
}

/** The conversations of the session's key, begun with what another page has left for them. */
function useChatStore(): ChatStore {
  const { key } = useSession();
  const store = openChatStore(key.id);
  useState(() => {
    const body = takeOfferedBody();
    if (body !== undefined) store.takeOver(readChatBody(body));
  });
  return store;
}

function choosePlaces(state: ChatState, models: readonly Model[]): readonly string[] {
  if (state.models.length > 0) return state.models;
  return models.some(({ id }) => id === FIRST_MODEL) ? [FIRST_MODEL] : [];
}

type ChatPartsProps = {
  readonly store: ChatStore;
  readonly state: ChatState;
  readonly lanes: readonly Lane[];
  readonly models: readonly Model[];
  readonly onChoose: (models: readonly string[]) => void;
};

function ChatParts({ store, state, lanes, models, onChoose }: ChatPartsProps) {
  const errors = useMemo(() => findDraftErrors(state.draft), [state.draft]);
  const names = lanes.map(({ model }) => model);
  const shown = state.lanes.slice(0, lanes.length);
  const isRunning = shown.some((rounds) => rounds.at(-1)?.reply?.state === 'running');
  const remove = (index: number): void => {
    store.removeLane(index);
    onChoose(names.toSpliced(index, 1));
  };
  return (
    <div className="playground-chat">
      <div className="stack playground-main">
        <Notices store={store} state={state} />
        <div className="playground-lanes" data-count={Math.max(1, lanes.length)}>
          {lanes.map((lane) => (
            <LanePanel
              key={lane.index}
              lane={lane}
              isOnly={lanes.length === 1}
              models={models.filter(({ id }) => id === lane.model || !names.includes(id))}
              rounds={state.lanes[lane.index] ?? []}
              store={store}
              canSend={Object.keys(errors).length === 0}
              onModel={(model) => onChoose(names.with(lane.index, model))}
              onRemove={() => remove(lane.index)}
            />
          ))}
        </div>
        <div className="row">
          {lanes.length < LANES_MAX && (
            <ModelPicker
              label={lanes.length === 0 ? 'Model' : 'Another model beside'}
              placeholder={lanes.length === 0 ? 'Choose a model' : 'Add a model beside'}
              models={models.filter(({ id }) => !names.includes(id))}
              value={undefined}
              onChange={(model) => onChoose([...names, model])}
            />
          )}
          {shown.some((rounds) => rounds.length > 0) && <Button onClick={() => store.clear()}>New conversation</Button>}
          <CodeButton
            requests={() => lanes.map((lane) => writeRequest(lane, state))}
            isReady={lanes.length > 0 && Object.keys(errors).length === 0}
          />
        </div>
        <Composer store={store} state={state} lanes={lanes} isRunning={isRunning} hindrance={findHindrance(state, lanes, errors)} />
        <ReplyNews news={state.news} />
      </div>
      <SettingsPanel draft={state.draft} errors={errors} lanes={lanes} onChange={(draft) => store.change(draft)} />
    </div>
  );
}

/** Why no prompt can be sent, in words. */
function findHindrance(state: ChatState, lanes: readonly Lane[], errors: DraftErrors): string | undefined {
  if (lanes.length === 0) return 'Choose a model first.';
  if (Object.keys(errors).length > 0) return 'Something in the settings is not right; it is marked there.';
  const waiting = lanes.find(({ index }) => findOpenCalls(state.lanes[index] ?? []).length > 0);
  return waiting === undefined ? undefined : `${waiting.model} waits for the results of its tools.`;
}

function Notices({ store, state: { leftOut, isKept } }: Pick<ChatPartsProps, 'store' | 'state'>) {
  return (
    <>
      {leftOut !== undefined && leftOut.length > 0 && (
        <Notice kind="warn">
          Not taken over from the request:
          <ul className="playground-left-out">
            {leftOut.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Button onClick={() => store.acknowledge()}>Understood</Button>
        </Notice>
      )}
      {!isKept && (
        <Notice>This is too large for the memory of the tab: a reload keeps the prompt, and neither files nor conversations.</Notice>
      )}
    </>
  );
}

/** The next request of a lane; before a prompt is written, one with a prompt to be replaced. */
function writeRequest({ index, model, known }: Lane, { draft, lanes }: ChatState): CodeRequest {
  const message = writePrompt(draft) ?? { role: 'user', content: 'Hello' };
  const rounds = [...(lanes[index] ?? []), { id: 'next', sent: [message] }];
  const { stream: _, stream_options: __, ...body } = buildChatBody({ model, known, draft, rounds });
  return { model, path: 'chat/completions', body };
}
