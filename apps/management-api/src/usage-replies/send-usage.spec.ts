import { createApiDocument } from '@weir/api-description';
import { DIMENSIONS } from '@weir/usage';

type Parameter = { readonly name: string; readonly schema: { readonly anyOf: readonly { readonly pattern?: string }[] } };

it('documents every dimension that usage can be grouped by, and nothing else', () => {
  for (const path of [
    '/v1/manage/org/usage',
    '/v1/manage/org/performance',
    '/v1/manage/apikey/{id}/usage',
    '/v1/manage/apikey/self/usage',
  ]) {
    const parameters = createApiDocument().paths[path]?.['get']?.['parameters'] as readonly Parameter[];
    const [one] = parameters.find(({ name }) => name === 'group_by')?.schema.anyOf ?? [];
    const isDocumented = (name: string): boolean => new RegExp(one?.pattern ?? '^$').test(name);

    const names = DIMENSIONS.map(({ name, match }) => (match === 'prefix' ? `${name}team` : name));
    expect(names.filter((name) => !isDocumented(name))).toEqual([]);
    expect(isDocumented(names.join(','))).toBe(true);
    expect(['', 'nothing', 'extra.', 'extra', 'model_used,', 'extra.a b'].filter(isDocumented)).toEqual([]);
  }
});
