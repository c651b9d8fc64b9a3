/**
 * What happens to a process at its nth effect on the world, counted from 1: it dies before or after
 * it, or the effect happens and seems to have failed.
 */
export interface StopPoint {
  readonly n: number;
  /** Counts only effects that are described so, such as `POST /v1/tasks`. */
  readonly what?: string;
  readonly when: 'before' | 'after' | 'fails';
}

/**
 * Everything a process does to the world goes through here, so that it can be counted, and stopped
 * for good.
 */
export interface Effects {
  readonly count: number;
  /** Resolves when the process died. */
  readonly died: Promise<'died'>;
  /** `failure` is how such an effect fails; one without cannot. */
  perform<T>(what: string, effect: () => Promise<T>, failure?: Error): Promise<T>;
}

/**
 * A process that dies at a point, or never. What is dead does nothing more: its effects hang, as
 * those of a killed process never come back.
 */
export function createEffects(
  point?: StopPoint,
  onEffect: (what: string) => void = () => undefined,
): Effects {
  let tell = (): void => undefined;
  const died = new Promise<'died'>((resolve) => {
    tell = () => resolve('died');
  });
  let count = 0;
  let counted = 0;
  let dead = false;
  /** Whether this effect is the one, of those that count. */
  const reaches = (what: string): boolean => {
    const counts = point !== undefined && (point.what ?? what) === what;
    if (counts) counted += 1;
    return counts && point.n === counted;
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
    died,
    perform: async (what, effect, failure) => {
      if (dead) return die();
      count += 1;
      const isPoint = reaches(what);
      if (isPoint && point?.when === 'before') return die();
      const value = await effect();
      onEffect(what);
      if (isPoint && failure && point?.when === 'fails') throw failure;
      return (isPoint && point?.when === 'after') || dead ? die() : value;
    },
  };
}
