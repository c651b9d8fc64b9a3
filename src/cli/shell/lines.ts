/**
 * The lines of a stream of text, without their line feeds. Only `\n` ends a line: a name that holds another line
 * separator must not cut a record in two, which is what the readers of the platform would do.
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
