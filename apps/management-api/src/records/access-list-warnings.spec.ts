import type { Modality } from '@weir/contracts';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { findEmptyEntries } from './access-list-warnings';

const known = { catalog: createBuiltInCatalog(), names: ['policy/mine', 'everyday', 'policy/weir-fast'] };
const warn = (entries: readonly string[], modality: Modality = 'chat') => findEmptyEntries({ [modality]: entries }, known);

describe('entries of an access list that let nothing in', () => {
  it('are none of those that name a model, a pattern that fits, a policy or an alias', async () => {
    const entries = ['sandbox/chat', 'sandbox/*', '*', '*/gpt-4o', 'policy/mine', 'policy/*', 'policy/weir-*', 'everyday'];
    await expect(warn(entries)).resolves.toEqual([]);
    await expect(warn(['openai/gpt-image-1', '*'], 'image')).resolves.toEqual([]);
  });

  it.each<[string, Modality, string]>([
    ['sandbox/caht', 'chat', 'there is no such model, policy or alias. Did you mean "sandbox/chat"'],
    ['sandbox/chat', 'image', 'what it names is for chat, and this is the list for image.'],
    ['openai/gpt-4*', 'embedding', 'what it names is for chat'],
    ['gone/*', 'chat', 'no model and no policy fits it today.'],
    ['policy/mein', 'chat', 'Did you mean "policy/mine"'],
    ['policy/none-*', 'chat', 'no model and no policy fits it today.'],
    ['every*', 'chat', 'no model and no policy fits it today.'],
    ['policy/mine', 'speech', 'policies and aliases are for chat.'],
    ['gpt-4o', 'chat', '"openai/gpt-4o"'],
    ['vertex/claude-opus-4-8@us', 'chat', 'Write "vertex-us/anthropic/claude-opus-4-8".'],
  ])('name the reason: %s for %s', async (entry, modality, reason) => {
    await expect(warn([entry, entry], modality)).resolves.toEqual([
      { modality, entry, message: expect.stringContaining(`"${entry}" lets nothing in: `) as string },
    ]);
    expect((await warn([entry], modality))[0]?.message).toContain(reason);
  });
});
