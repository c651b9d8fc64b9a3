import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What an action is played with. */
export interface Playing {
  /** The folder of the job. */
  readonly workspace: string;
  /** Where the repository is, and the ref and commit that started the run. */
  readonly bare: string;
  readonly ref: string;
  readonly sha: string;
  /** Artifacts by `run/name`: folders. */
  readonly artifacts: string;
  readonly run: number;
  readonly onUpload: (name: string) => void;
}

type Inputs = Readonly<Record<string, string>>;
type Action = (inputs: Inputs, playing: Playing) => void;

/** The actions that are played, and the inputs of each that are known; every other one is refused. */
const ACTIONS: Readonly<
  Record<string, { readonly play: Action; readonly inputs: readonly string[] }>
> = {
  'actions/checkout': { play: checkout, inputs: ['fetch-depth', 'persist-credentials', 'ref'] },
  'actions/setup-node': {
    play: () => undefined,
    inputs: ['node-version', 'package-manager-cache', 'cache', 'cache-dependency-path'],
  },
  'actions/upload-artifact': { play: upload, inputs: ['name', 'path', 'retention-days'] },
  'actions/download-artifact': {
    play: download,
    inputs: ['name', 'pattern', 'path', 'run-id', 'github-token'],
  },
};

/** Plays `uses:`; throws where the action fails, is not known, or is asked for what is not played. */
export function playAction(uses: string, inputs: Inputs, playing: Playing): void {
  const [name = '', commit = ''] = uses.split('@');
  const action = ACTIONS[name];
  if (!action || !/^[0-9a-f]{40}$/.test(commit)) throw new Error(`${uses} is not played here`);
  const strange = Object.keys(inputs).filter((input) => !action.inputs.includes(input));
  if (strange.length > 0) throw new Error(`${name} with ${strange.join(', ')}: not played here`);
  action.play(inputs, playing);
}

/** The whole history with all branches, or so many commits of one ref; the token stays out of the clone. */
function checkout(inputs: Inputs, { workspace, bare, ref, sha }: Playing): void {
  if (inputs['persist-credentials'] !== 'false') throw new Error('a token would stay in the clone');
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', args, { cwd: workspace, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', bare);
  const isWhole = inputs['fetch-depth'] === '0';
  if (isWhole) git('fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*');
  const { 'fetch-depth': commits = '1' } = inputs;
  const depth = isWhole ? [] : [`--depth=${commits}`, '--no-tags'];
  // Without a ref a run stays with the commit that started it, though its branch may have moved since.
  const { ref: wanted = sha } = inputs;
  git('fetch', '--quiet', ...depth, 'origin', `+${wanted}:refs/played/ref`);
  const isBranch = ref.startsWith('refs/heads/') && (wanted === sha || wanted === ref);
  git(
    'checkout',
    '--quiet',
    ...(isBranch ? ['-B', basename(ref)] : ['--detach']),
    'refs/played/ref',
  );
}

function upload({ name = '', path = '' }: Inputs, playing: Playing): void {
  const { workspace, artifacts, run, onUpload } = playing;
  if (!existsSync(join(workspace, path))) throw new Error(`no file ${path} to keep`);
  const folder = join(artifacts, String(run), name);
  if (existsSync(folder)) throw new Error(`run ${run} has kept ${name} already`);
  mkdirSync(folder, { recursive: true });
  cpSync(join(workspace, path), join(folder, basename(path)));
  onUpload(name);
}

/** Of the same run, or of another one by its number and a token. */
function download(inputs: Inputs, { workspace, artifacts, run }: Playing): void {
  const { name = '', pattern, path = '', 'run-id': other, 'github-token': token } = inputs;
  if (other !== undefined && !token) throw new Error('another run wants a token');
  const from = join(artifacts, other ?? String(run));
  if (pattern !== undefined) return downloadAll(pattern, from, join(workspace, path));
  const folder = join(from, name);
  if (!existsSync(folder)) throw new Error(`run ${other ?? run} has no artifact ${name}`);
  mkdirSync(join(workspace, path), { recursive: true });
  cpSync(folder, join(workspace, path), { recursive: true });
}

/** Each artifact whose name begins like this, in a folder of its name. */
function downloadAll(pattern: string, from: string, to: string): void {
  const [all = '', start = ''] = /^([\w-]+)\*$/.exec(pattern) ?? [];
  if (all === '') throw new Error(`the pattern ${pattern} is not played here`);
  const names = existsSync(from) ? readdirSync(from) : [];
  for (const found of names.filter((each) => each.startsWith(start)))
    cpSync(join(from, found), join(to, found), { recursive: true });
}
