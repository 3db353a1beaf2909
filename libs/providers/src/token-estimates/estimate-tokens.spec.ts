import { countTokens } from './count-tokens';
import { estimatePromptTokens, estimateReplyTokens, estimateTextTokens, findTokenFamily } from './estimate-tokens';

describe('the estimate of tokens', () => {
  it.each([
    ['gpt-4o-mini', 'gpt-4o'],
    ['gpt-4.1-nano', 'gpt-4o'],
    ['gpt-4-turbo', 'gpt-4'],
    ['text-embedding-3-small', 'gpt-4'],
    ['o3-mini', 'gpt-5'],
    ['openai/gpt-oss-120b', 'gpt-oss'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude'],
    ['claude-opus-4-8', 'claude-5'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama'],
    ['mistral-large-latest', 'mistral'],
    ['Qwen/Qwen3-32B', 'qwen'],
    ['something-new', 'other'],
  ])('counts %s as one of the family %s', (model, family) => {
    expect(findTokenFamily(model).name).toBe(family);
  });

  it('is exact in the public encodings', () => {
    expect(estimateTextTokens('The quick brown fox jumps over the lazy dog.', 'gpt-4o')).toBe(10);
    expect(estimateTextTokens('The quick brown fox jumps over the lazy dog.', 'gpt-4')).toBe(10);
  });

  it('counts names of control tokens as text', () => {
    expect(countTokens('<|endoftext|><|im_start|>', 'o200k_base')).toBeGreaterThan(4);
  });

  it('of a long text comes from samples, near what the whole text has', () => {
    const sentence = 'Water finds its level, 42 times a day; wie man sagt, ohne Eile. ';
    const each = countTokens(sentence.repeat(100), 'o200k_base') / 100;
    const many = countTokens(sentence.repeat(10_000), 'o200k_base');
    expect(Math.abs(many / (each * 10_000) - 1)).toBeLessThan(0.05);
  });

  it.each([
    ['letters', 'a'],
    ['spaces', ' '],
    ['digits', '7'],
  ])('counts an endless run of %s in pieces', (_, sign) => {
    expect(countTokens(sign.repeat(5_000_000), 'o200k_base')).toBeGreaterThan(10_000);
  });

  it('of a reply that says nothing is nothing', () => {
    expect(estimateReplyTokens({ text: '', calls: 0 }, 'gpt-4o')).toBe(0);
    expect(estimateReplyTokens({ text: 'hello world', calls: 0 }, 'gpt-4o')).toBe(3);
    expect(estimatePromptTokens({ text: 'hello world', turns: 1, tools: '' }, 'gpt-4o')).toBe(9);
  });
});
