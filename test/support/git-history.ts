/**
 * A random history of documents as a stream for `git fast-import`: edits, branches that are merged
 * again, files that move, vanish and come back. The same seed gives the same history; subjects and
 * authors are hostile now and then.
 */
export function randomHistory(seed: number): string {
  const random = chance(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  const files = new Map<string, string[]>();
  for (let n = 0; n < 6; n += 1)
    files.set(
      `fleet/${n % 2}/doc${n}.yaml`,
      [...Array(20).keys()].map((line) => `${n}-${line}`),
    );
  const commits: { readonly files: ReadonlyMap<string, readonly string[]> }[] = [];
  let stream = '';
  const write = (
    tree: ReadonlyMap<string, readonly string[]>,
    parents: readonly number[],
  ): number => {
    const mark = commits.push({ files: new Map(tree) });
    const subject = SUBJECTS[pick(SUBJECTS.length)] ?? '';
    const person = `${PEOPLE[pick(PEOPLE.length)] ?? ''} <p@x.example> ${1_600_000_000 + mark * 600} +0000`;
    stream += `commit refs/heads/main\nmark :${mark}\nauthor ${person}\ncommitter ${person}\n`;
    stream += data(`${subject} ${mark}`);
    if (mark === 1) stream += '';
    for (const [index, parent] of parents.entries())
      stream += `${index === 0 ? 'from' : 'merge'} :${parent}\n`;
    stream += 'deleteall\n';
    for (const [path, lines] of tree)
      stream += `M 100644 inline ${path}\n${data(`${lines.join('\n')}\n`)}`;
    stream += `M 100644 inline other\n${data(String(pick(3)))}\n`;
    return mark;
  };
  let tip = write(files, []);
  for (let round = 0; round < 40; round += 1) {
    if (random() < 0.2) {
      const [left, right] = [edited(files, pick, round), edited(files, pick, round + 1_000)];
      const [one, two] = [write(left, [tip]), write(right, [tip])];
      for (const [path, lines] of random() < 0.5 ? left : mixed(left, right, files))
        files.set(path, [...lines]);
      tip = write(files, [one, two]);
    } else {
      for (const [path, lines] of edited(files, pick, round)) files.set(path, [...lines]);
      if (random() < 0.1) move(files, pick, round);
      tip = write(files, [tip]);
    }
  }
  return stream;
}

const SUBJECTS = [
  'Move cameras',
  'commit 0123456789012345678901234567890123456789',
  '(from x)',
  'x',
];
const PEOPLE = ['Ada Lovelace', 'author-time 7', 'Zoë \u202e Q'];

function edited(
  files: ReadonlyMap<string, readonly string[]>,
  pick: (below: number) => number,
  tag: number,
): Map<string, string[]> {
  const copy = new Map([...files].map(([path, lines]) => [path, [...lines]]));
  const paths = [...copy.keys()];
  const lines = copy.get(paths[pick(paths.length)] ?? '') ?? [];
  const at = pick(lines.length);
  lines.splice(at, pick(3), `changed ${tag}`, ...(pick(2) ? [`added ${tag}`] : []));
  return copy;
}

/** What a merge without conflicts makes of two sides: each file from the side that changed it. */
function mixed(
  left: ReadonlyMap<string, readonly string[]>,
  right: ReadonlyMap<string, readonly string[]>,
  base: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...left].map(([path, lines]) =>
      lines.join() === (base.get(path) ?? []).join()
        ? [path, right.get(path) ?? lines]
        : [path, lines],
    ),
  );
}

function move(files: Map<string, string[]>, pick: (below: number) => number, round: number): void {
  const [path = ''] = [...files.keys()].slice(pick(files.size));
  const lines = files.get(path);
  if (!lines) return;
  files.delete(path);
  files.set(`fleet/moved-${round}.yaml`, lines);
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
