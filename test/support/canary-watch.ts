import { CLIENT_SECRETS, search, settle, SECRET_TEXTS, type Left } from './canary.ts';

/** What tests of one file made in this process, to be read when the file has ended. */
const watched: { readonly name: string; readonly text: () => string }[] = [];

/** Searches a text for every credential of the tests once the tests of a file have ended. */
export function watch(name: string, text: () => string): void {
  watched.push({ name, text });
}

/** Where a client writes its trace: every line is searched. */
export function watchedTrace(name: string): (line: string) => void {
  const lines: string[] = [];
  watch(`trace: ${name}`, () => lines.join(''));
  return (line) => void lines.push(line);
}

/** Searches what was watched since the last call, and forgets it; throws where a secret was found. */
export function settleWatched(): void {
  if (watched.length === 0) return;
  const found = search(texts(), [...Object.values(CLIENT_SECRETS), ...SECRET_TEXTS]);
  watched.length = 0;
  settle(found);
}

function* texts(): Generator<Left> {
  for (const { name, text } of watched) yield { name, text: text() };
}
