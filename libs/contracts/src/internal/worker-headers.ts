// Headers that edge and worker exchange beside passport and body.

/** The id of the request, which it keeps in every process. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** How important the request is: `free`, `unpaid` or `paid`. Workers that have too much to do refuse by it. */
export const WORK_HEADER = 'x-weir-work';

/** The id of the key that it came with: workers that have too much to do spare those with little under way. */
export const CALLER_HEADER = 'x-weir-caller';

/** On a worker's error: nothing was begun for the request, so that what the edge took for it can be given back. */
export const NOT_BEGUN_HEADER = 'x-weir-not-begun';
/** What it says where a short passport was refused: its terms were not known, or it was worth nothing there. A whole one may be. */
export const SEND_TERMS = 'send terms';
export const SEND_WHOLE = 'send whole';
