/** What a terminal shows after a text: new lines, cursor up, and clearing of all below; anything else is a failure. */
export function screenOf(text: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  for (const [token] of text.matchAll(/\u001b\[\d*[A-Z]|\n|[^\u001b\n]+|\u001b/g)) {
    const up = /^\u001b\[(\d+)A$/.exec(token);
    if (up) row -= Number(up[1]);
    else if (token === '\u001b[J') lines.length = row;
    else if (token === '\n') row += 1;
    else if (token.startsWith('\u001b')) throw new Error(`not expected: ${JSON.stringify(token)}`);
    else lines[row] = token;
    lines[row] ??= '';
  }
  return lines.filter((line, n) => line !== '' || n < lines.length - 1);
}
