import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../api';
import { Badge, Loaded, LoadingState, Notice } from '../../design';
import { formatCount } from '../../format/numbers';
import { countPatterns, MODALITIES, type Patterns } from './patterns';
import { useSettled } from './use-settled';

/** What patterns let in, as they are typed. */
export function PatternPreview({ patterns }: { readonly patterns: Patterns }) {
  const settled = useSettled(patterns);
  const preview = useQuery({
    queryKey: ['access-lists', 'preview', settled],
    queryFn: ({ signal }) => unwrap(api.POST('/v1/manage/access-list/preview', { body: settled, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="rules-preview" aria-labelledby="rules-preview-title">
      <h3 id="rules-preview-title">What this lets in</h3>
      <Loaded query={preview} loading={<LoadingState lines={3} />}>
        {(data) => <PreviewParts preview={data} isEmpty={countPatterns(settled) === 0} />}
      </Loaded>
    </section>
  );
}

type PreviewProps = { readonly preview: Schemas['AccessListPreview']; readonly isEmpty: boolean };

function PreviewParts({ preview: { models, names, warnings = [] }, isEmpty }: PreviewProps) {
  const counted = MODALITIES.filter(([modality]) => models[modality].length > 0);
  const total = counted.reduce((sum, [modality]) => sum + models[modality].length, 0);
  return (
    <>
      <p className="quiet" role="status">
        {isEmpty ? 'Nothing yet: a list without patterns lets no model in.' : describeTotal(total, names.length)}
      </p>
      {warnings.length > 0 && (
        <Notice kind="warn">
          <ul>
            {warnings.map(({ modality, entry, message }) => (
              <li key={`${modality} ${entry}`}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
      {names.length > 0 && <ModelList label="Policies and aliases" ids={names} isOpen />}
      {counted.map(([modality, label]) => (
        <ModelList key={modality} label={label} ids={models[modality]} isOpen={counted.length === 1} />
      ))}
    </>
  );
}

function describeTotal(models: number, names: number): string {
  const counted = `${formatCount(models)} ${models === 1 ? 'model' : 'models'}`;
  return names === 0 ? counted : `${counted}, and what ${formatCount(names)} ${names === 1 ? 'name leads' : 'names lead'} to`;
}

type ModelListProps = { readonly label: string; readonly ids: readonly string[]; readonly isOpen?: boolean };

/** Ids, folded away below how many there are. */
export function ModelList({ label, ids, isOpen = false }: ModelListProps) {
  return (
    <details className="rules-models" open={isOpen}>
      <summary>
        {label} <Badge>{formatCount(ids.length)}</Badge>
      </summary>
      <ul tabIndex={0} aria-label={label}>
        {ids.map((id) => (
          <li key={id} className="mono">
            {id}
          </li>
        ))}
      </ul>
    </details>
  );
}
