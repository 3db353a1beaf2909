import type { ReactNode } from 'react';
import { Button, EmptyState } from '../../design';
import type { Model } from '../models/filter-models';
import type { Estimated } from './estimate';
import { EstimateLine } from './estimate-line';
import { ModelPicker } from './model-picker';

export type MediaTabProps = {
  /** Those that can be called, of the tab's kind. */
  readonly models: readonly Model[];
  readonly chosen: string | undefined;
  readonly onChoose: (model: string) => void;
};

type MediaFormProps = MediaTabProps & {
  readonly action: string;
  readonly isReady: boolean;
  readonly isRunning: boolean;
  readonly estimated: Estimated;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly more?: ReactNode;
  readonly children: ReactNode;
};

/** The form of a request for images, speech or words. */
export function MediaForm({ models, chosen, onChoose, ...form }: MediaFormProps) {
  const { action, isReady, isRunning, estimated, onSend, onStop, more, children } = form;
  if (models.length === 0)
    return (
      <EmptyState title="No such model can be called with this key" text="Its access lists allow none whose provider is set up here." />
    );
  return (
    <form
      className="panel panel-body stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isRunning) onSend();
      }}
    >
      <ModelPicker label="Model" models={models} value={chosen} onChange={onChoose} />
      {children}
      <div className="spread">
        <div className="row">{more}</div>
        <div className="row">
          {isRunning && <Button onClick={onStop}>Stop</Button>}
          <Button type="submit" kind="primary" disabled={!isReady || isRunning}>
            {action}
          </Button>
        </div>
      </div>
      <EstimateLine estimated={estimated} />
    </form>
  );
}
