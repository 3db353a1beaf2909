/** How provider state that a dialect issued itself is named: after the dialect. */
export const CHAT_FAMILY = 'chat-completions';
export const RESPONSES_FAMILY = 'responses';
export const MESSAGES_FAMILY = 'messages';
