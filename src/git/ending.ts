import { setMaxListeners } from 'node:events';

const ending = new AbortController();

// One listener for each git that runs, and as many run at once as there are files to blame.
setMaxListeners(0, ending.signal);
process.once('exit', () => ending.abort());

/**
 * Aborted when this process ends: a git that it has started ends with it, instead of going on alone with
 * a fetch or a push. Nothing helps against `kill -9`; what git then does is as unclear as any lost answer.
 */
export const ENDING: AbortSignal = ending.signal;
