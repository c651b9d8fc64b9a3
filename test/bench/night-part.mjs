// What the bench of a night measures beside commands. `node night-part.mjs load FILE...` is the floor: it parses documents
// and files, by lines where they are not JSON as a whole, and keeps seven fields of devices in columns. `note LEDGER` makes the note of the
// last run that has one, `comment PLAN` the comment on a request.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const [, , part, ...files] = process.argv;
const FIELDS = ['id', 'name', 'vendor', 'model', 'firmwareVersion', 'deviceType', 'status'];
await { load, note, comment }[part](...files);

async function load(...all) {
  const { parse } = await import('yaml');
  const columns = Object.fromEntries(FIELDS.map((name) => [name, []]));
  const words = new Map();
  for (const file of all.flatMap(listFiles)) {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.yaml')) parse(text);
    else if (file.endsWith('.json')) keep(JSON.parse(text));
    else for (const line of text.trimEnd().split('\n')) keep(JSON.parse(line));
  }

  function keep({ device }) {
    if (!device) return;
    for (const name of FIELDS) {
      const word = device[name];
      if (!words.has(word)) words.set(word, word);
      columns[name].push(words.get(word));
    }
  }
}

function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}

async function note(ledger) {
  const { directoryStore } = await import('../../dist/store/directory.js');
  const { buildAudit } = await import('../../dist/ledger/audit.js');
  const { isWorthNote } = await import('../../dist/model/ledger/audit.js');
  const { noteText } = await import('../../dist/render/data/note.js');
  const { records } = await directoryStore(ledger).read(0);
  const { runs, head } = buildAudit(records);
  process.stdout.write(
    noteText(runs.findLast(isWorthNote), { head, fingerprint: records[0].body.fingerprint }),
  );
}

async function comment(file) {
  const { readArtifact } = await import('../../dist/operations/artifact.js');
  const { planMarkdown } = await import('../../dist/render/outputs/plan.js');
  const { buildPlanView } = await import('../../dist/render/view/view.js');
  const plan = await readArtifact({ cwd: process.cwd(), err: process.stderr, env: {} }, file);
  process.stdout.write(planMarkdown(buildPlanView(plan), { limit: 65_536 }));
}
