/**
 * The lines of a text stream, without their line feeds. Only `
 * ` ends a line: the platform's readers also split at other separators, which may occur in a name,
 * and would cut a record in two.
 */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    // A line of many chunks is joined once, at its end, and not again for each chunk.
    if (!chunk.includes('\n')) {
      rest += chunk;
      continue;
    }
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
