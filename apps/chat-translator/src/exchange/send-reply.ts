/** Sends the rest of a reply that no other attempt can replace any more. Undefined where nothing has to be waited for. */
export type SendReply = () => undefined | Promise<void>;
