import { router } from '../../routes';
import { offerBody } from './offered-body';

/**
 * Opens the playground with a body of chat completions, ready to be sent again. What the playground cannot take over of
 * it stands above the conversation there. The body goes by the session storage of this tab, never by the address.
 */
export async function openInPlayground(body: unknown): Promise<void> {
  offerBody(body);
  await router.navigate({ to: '/playground' });
}
