import { TransportError } from '../../src/model/ports.ts';

/**
 * What happens to a process at its nth effect on the world, counted from 1: it dies before or after
 * it; or the effect happens and seems to have failed (`fails`); or it does not happen (`refused`),
 * and for good neither does any after it (`refusedForGood`). What cannot fail, as a sleep, is left
 * alone by these three. `unwatched`: from then on whoever watches the process fails, and nothing else.
 */
export interface StopPoint {
  readonly n: number;
  /** Counts only effects that are described so, such as `POST /v1/tasks`. */
  readonly what?: string;
  readonly when: 'before' | 'after' | 'fails' | 'refused' | 'refusedForGood' | 'unwatched';
}

/**
 * Everything a process does to the world goes through here, so that it can be counted, and stopped
 * for good.
 */
export interface Effects {
  readonly count: number;
  readonly isDead: boolean;
  /** Resolves when the process died. */
  readonly died: Promise<'died'>;
  /** `failure` is how such an effect fails; one without cannot. */
  perform<T>(what: string, effect: () => Promise<T>, failure?: Error): Promise<T>;
  /** Throws what an observer of the process throws once it fails. */
  watched(): void;
}

/** The worst that an observer can throw: what looks like a request that was never sent. */
export const FAILING_OBSERVER = new TransportError('unsent', 'ECONNREFUSED');

/** Hears of an effect once it has happened: what it was, and which one of its process, from 1. */
export type OnEffect = (what: string, n: number) => void;

/**
 * A process that dies at a point, or never. What is dead does nothing more: its effects hang, as
 * those of a killed process never come back.
 */
export function createEffects(point?: StopPoint, onEffect: OnEffect = () => undefined): Effects {
  let tell = (): void => undefined;
  const died = new Promise<'died'>((resolve) => {
    tell = () => resolve('died');
  });
  let count = 0;
  let counted = 0;
  let [dead, blind] = [false, false];
  /** What becomes of an effect, if anything. */
  const fateOf = (what: string): StopPoint['when'] | undefined => {
    if (point === undefined || (point.what ?? what) !== what) return undefined;
    counted += 1;
    const isForGood = point.when === 'refusedForGood' && counted > point.n;
    return counted === point.n || isForGood ? point.when : undefined;
  };
  const die = (): Promise<never> => {
    dead = true;
    tell();
    return new Promise<never>(() => undefined);
  };
  return {
    get count() {
      return count;
    },
    get isDead() {
      return dead;
    },
    died,
    perform: async (what, effect, failure) => {
      if (dead) return die();
      const n = (count += 1);
      const fate = fateOf(what);
      if (fate === 'before') return die();
      if (fate === 'unwatched') blind = true;
      if (fate?.startsWith('refused') && failure) throw failure;
      const value = await effect();
      onEffect(what, n);
      if (fate === 'fails' && failure) throw failure;
      return fate === 'after' || dead ? die() : value;
    },
    watched: () => {
      if (blind) throw FAILING_OBSERVER;
    },
  };
}
