/** The results that are kept. */
const MOST = 4_096;

/**
 * A pure function that computes the same result once. Objects are the same by identity. What the service sends may
 * hold any number of texts, so all results are forgotten once there are `most`.
 */
export function computeOnce<K, T>(compute: (key: K) => T, most = MOST): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined || known.has(key)) return before as T;
    const result = compute(key);
    if (known.size >= most) known.clear();
    known.set(key, result);
    return result;
  };
}

/** A value that is made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
