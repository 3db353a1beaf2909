import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap, useSession } from '../../api';
import { EmptyState, Loaded, LoadingState, PageHead, Tabs } from '../../design';
import { readWord } from '../../search-text';
import type { Model } from '../models/filter-models';
import { ChatTab } from './chat-tab';
import { ImagesTab } from './images-tab';
import type { MediaTabProps } from './media-form';
import { PLAYGROUND_TABS, type PlaygroundSearch, type PlaygroundTab } from './playground-search';
import { SpeechTab } from './speech-tab';
import { TranscriptionTab } from './transcription-tab';
import './playground.css';

const route = getRouteApi('/shell/playground');

export function PlaygroundPage() {
  const { permissions } = useSession();
  return (
    <>
      <PageHead title="Playground" about="Requests are sent with your key, and cost what every request costs." />
      {permissions.completions === 'write' ? (
        <Playground />
      ) : (
        <EmptyState
          title="Your key sends no requests"
          text="It may read, and no more. An administrator can give it the permission to infer."
        />
      )}
    </>
  );
}

function Playground() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const models = useQuery({
    queryKey: ['models', 'list'],
    queryFn: async ({ signal }) => (await unwrap(api.GET('/v1/models/all', { signal }))) as { readonly data: readonly Model[] },
  });
  const show = (next: PlaygroundSearch): void => void navigate({ search: next, replace: true, resetScroll: false });
  return (
    <Loaded query={models} loading={<LoadingState lines={10} />}>
      {({ data }) => <PlaygroundTabs models={data} search={search} onShow={show} />}
    </Loaded>
  );
}

type TabsProps = {
  readonly models: readonly Model[];
  readonly search: PlaygroundSearch;
  readonly onShow: (search: PlaygroundSearch) => void;
};

function PlaygroundTabs({ models, search, onShow }: TabsProps) {
  const tab: PlaygroundTab = search.tab ?? 'chat';
  const choose = (names: readonly string[]): void => onShow({ ...withTab(tab), ...(names.length === 0 ? {} : { model: [...names] }) });
  const media = (kind: Model['api']): MediaTabProps => {
    const own = models.filter(({ api: made }) => made === kind);
    const chosen = search.model?.find((name) => own.some(({ id }) => id === name)) ?? own.find(({ id }) => id.startsWith('sandbox/'))?.id;
    return { models: own, chosen, onChoose: (model) => choose([model]) };
  };
  // Only while it is shown: it writes its models into the address.
  const chat =
    tab === 'chat' ? <ChatTab models={models.filter(({ api: made }) => made === 'chat')} chosen={search.model} onChoose={choose} /> : null;
  return (
    <Tabs
      label="What is tried"
      value={tab}
      onChange={(value) => onShow(withTab(readWord(value, PLAYGROUND_TABS) ?? 'chat'))}
      tabs={[
        { value: 'chat', label: 'Chat', content: chat },
        { value: 'images', label: 'Images', content: <ImagesTab {...media('image')} /> },
        { value: 'speech', label: 'Speech', content: <SpeechTab {...media('speech')} /> },
        { value: 'transcription', label: 'Transcription', content: <TranscriptionTab {...media('transcription')} /> },
      ]}
    />
  );
}

function withTab(tab: PlaygroundTab): PlaygroundSearch {
  return tab === 'chat' ? {} : { tab };
}
