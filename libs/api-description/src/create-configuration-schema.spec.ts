import { configurationDocument } from '@weir/contracts';
import { createConfigurationSchema } from './create-configuration-schema';

type Schema = {
  readonly properties: Record<string, Schema>;
  readonly items: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
};

it('the schema of a configuration knows every section, with names where the interface has ids, and no place for a secret', () => {
  const schema = createConfigurationSchema() as unknown as Schema;
  expect(Object.keys(schema.properties)).toEqual(Object.keys(configurationDocument.shape));
  const limits = schema.properties['limits']?.items;
  expect(Object.keys(limits?.properties ?? {})).toEqual(expect.arrayContaining(['name', 'scope', 'group', 'key', 'member', 'amount']));
  expect(Object.keys(limits?.properties ?? {})).not.toContain('group_id');
  expect(limits?.required).toEqual(['name', 'scope', 'measure', 'amount']);
  const secret = schema.properties['provider_credentials']?.items.properties['api_key'];
  expect(Object.keys(secret?.properties ?? {})).toEqual(['env', 'file']);
  expect(JSON.stringify(schema)).not.toContain('9007199254740991');
});
