/** How many reads are made at once. More would only queue in the client, and use memory. */
export const AT_ONCE = 8;

/**
 * Does some work for each item, in their order and `AT_ONCE` at a time. The first failure is thrown; after it, or once
 * `work` returns false, no further item is begun.
 */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<boolean | void>,
): Promise<void> {
  // Whoever leaves its loop over a generator ends it for all.
  const left = (function* () {
    yield* items;
  })();
  const take = async (): Promise<void> => {
    for (const item of left) if ((await work(item)) === false) break;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}
