import { GATEWAY } from './gateway';
import { LIMITS } from './limits';
import { MONEY } from './money';
import { PROVIDERS } from './providers';
import { ROUTING } from './routing';
import { SPEND } from './spend';

export const BOARDS = [GATEWAY, ROUTING, PROVIDERS, LIMITS, SPEND, MONEY] as const;
