import type { ContentBlock } from '@weir/canonical';
import { describeWithFixtures, loadCapture, loadCaptures } from '@weir/testing';
import { call, encode, image, pdf, result, text, user, type Body, type Json } from './__fixtures__/encode-for-converse';

describeWithFixtures('requests that other software sends to Converse', () => {
  const golden = (name: string): Body =>
    (JSON.parse(String(loadCapture(`agentgateway+agentgateway/golden-snap-requests-${name}.bedrock.snap`).body)) as { request: Body })
      .request;
  const weather = { kind: 'function', name: 'get_weather' } as const;

  it('say the same as ours for text, media, thinking and schemas', () => {
    const media = [
      image('image/png'),
      pdf('report.pdf'),
      { ...pdf('data.csv'), source: { kind: 'text', mediaType: 'text/csv', text: 'a,b,c' } },
      { ...pdf('notes.md'), source: { kind: 'base64', mediaType: 'application/octet-stream', data: 'dGVzdA==' } },
      pdf('report.pdf'),
      { type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'test' } },
    ] as ContentBlock[];
    const withoutBytes = (body: Body): unknown => JSON.parse(JSON.stringify(body.messages).replaceAll(/"bytes":"[^"]*"/g, '"bytes":""'));
    const { body } = encode({ maxOutputTokens: 64, turns: [user(text('Compare these documents and image.'), ...media)] });
    expect(withoutBytes(body)).toEqual(withoutBytes(golden('responses/input-media')));

    const thinking = encode(
      {
        maxOutputTokens: 1024,
        reasoning: { mode: 'adaptive', effort: 'high' },
        turns: [user(text('Give one concise insight about distributed consensus.', { cache: {} }))],
      },
      { model: 'anthropic.claude-opus-4-6-v1' },
    ).body;
    expect(thinking).toEqual({ ...golden('messages/reasoning'), additionalModelResponseFieldPaths: expect.anything() });

    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
    const structured = encode(
      {
        maxOutputTokens: 64,
        turns: [user(text('Extract the city name.'))],
        responseFormat: { kind: 'json-schema', name: 'city_schema', description: 'Structured city extraction', schema },
      },
      { model: 'openai.gpt-oss-120b-1:0' },
    ).body;
    expect(structured).toEqual(golden('responses/structured-output'));
  });

  it('say the same as ours for tools and their results', () => {
    const { toolConfig } = golden('messages/tools');
    const spec = toolConfig?.tools[0]?.['toolSpec'] as { description: string; inputSchema: { json: Json } };
    expect(encode({ tools: [{ ...weather, description: spec.description, parameters: spec.inputSchema.json }] }).body.toolConfig).toEqual(
      toolConfig,
    );

    const turns = [
      user(text('How is the weather in Columbus and New York?')),
      {
        role: 'assistant',
        content: [
          call('call_1', '{"location":"Columbus, OH"}', 'get_weather'),
          call('call_2', '{"location":"New York, NY"}', 'get_weather'),
        ],
      },
      {
        role: 'tool',
        content: [
          result('call_1', { content: [text('{ "temperature": 15, "condition": "Cloudy" }')] }),
          result('call_2', { content: [text('{ "temperature": 22, "condition": "Sunny" }')] }),
        ],
      },
    ] as const;
    const messages = JSON.stringify(golden('completions/parallel-tool-call').messages).replaceAll(',"status":null', '');
    expect(encode({ turns, tools: [weather] }).body.messages).toEqual(JSON.parse(messages));
  });

  it('have the body the vendor’s own client sends, but for what the model would refuse', () => {
    const theirs = loadCaptures('client-captures/vendor-sdk-upstream-requests.json').find(({ request }) =>
      request?.url.includes('bedrock'),
    )?.request;
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, n: { type: ['integer', 'null'] } },
      required: ['city'],
      additionalProperties: false,
    };
    const { body, path } = encode(
      {
        turns: [
          { role: 'system', content: [text('Be brief.')] },
          user(
            text('Look'),
            { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
            { type: 'document', filename: 'a.pdf', source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' } },
          ),
          {
            role: 'assistant',
            content: [text('calling'), call('call_1', '{"city":"Paris"}', 'get_weather'), call('call_2', '{"city":"Rome"}', 'get_weather')],
          },
          { role: 'tool', content: [result('call_1', { content: [text('sunny')] }), result('call_2', { content: [text('boom')] })] },
          user(text('and?')),
        ],
        maxOutputTokens: 50,
        temperature: 0.5,
        topP: 0.9,
        stop: ['X'],
        tools: [{ ...weather, description: 'w', parameters: schema }],
        toolChoice: { kind: 'tool', name: 'get_weather' },
      },
      { model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
    );
    const expected = theirs?.body as Body & { inferenceConfig: Json };

    expect(theirs?.url).toContain(path);
    expect(body).toEqual({
      ...expected,
      inferenceConfig: { ...expected.inferenceConfig, topP: undefined },
      additionalModelResponseFieldPaths: ['/stop_sequence', '/delta/stop_sequence'],
    });
  });
});
