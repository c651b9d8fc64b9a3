import { setMaxListeners } from 'node:events';

const ending = new AbortController();

// Each running git adds a listener, and blame runs many.
setMaxListeners(0, ending.signal);
process.once('exit', () => ending.abort());

/**
 * Aborted when this process ends, so that its git processes end too instead of finishing a fetch or
 * push alone. After `kill -9` the outcome of git is as unclear as any lost answer.
 */
export const ENDING: AbortSignal = ending.signal;
