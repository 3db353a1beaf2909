import { Anthropic } from '@anthropic-ai/sdk';
import type { ChatDialect } from '@weir/contracts';
import { OpenAI } from 'openai';
import { readChat } from './read-chat';
import { readMessages } from './read-messages';
import { readResponses } from './read-responses';
import { NO_REPLY, type Received, type SeenReply } from './received';

const READERS: Readonly<Record<ChatDialect, (received: Received) => Promise<SeenReply>>> = {
  'chat-completions': readChat,
  responses: readResponses,
  messages: readMessages,
};

/** Reads a reply through the official client of its dialect: what the client cannot read, no caller can. */
export async function readReceived(received: Received): Promise<SeenReply> {
  try {
    const seen = await READERS[received.dialect](received);
    return { ...seen, status: received.status };
  } catch (error) {
    if ((error instanceof OpenAI.APIError || error instanceof Anthropic.APIError) && received.status >= 400) {
      return { ...NO_REPLY, ending: 'refused', status: Number(error.status) };
    }
    throw error;
  }
}
