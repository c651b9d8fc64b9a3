// `node test/tools/release-notes.mjs vX.Y.Z`: the part of CHANGELOG.md of that version, for a release. Ends with 1 and one
// line per problem where the package is not ready: another version, no notes, or no address in package.json.
import { readFileSync } from 'node:fs';

/** Members without which nobody finds the source of a package; provenance wants the first. */
const ADDRESSES = ['repository', 'bugs', 'homepage'];

/** What GitHub takes as the text of a release, in characters. */
const MOST_OF_A_RELEASE = 125_000;

/** The notes of a tag, or the problems that stand in the way of its release. */
function releaseNotes(tag, manifest, changelog) {
  const notes = sectionOf(changelog, manifest.version);
  const problems = [
    ...(tag === `v${manifest.version}`
      ? []
      : [`the tag is ${tag}, package.json has version ${manifest.version}`]),
    ...ADDRESSES.filter((name) => !manifest[name]).map(
      (name) => `package.json has no "${name}": say where the project is found`,
    ),
    ...(manifest.private ? ['package.json is private'] : []),
    ...(notes === '' ? [`CHANGELOG.md has no notes under "## ${manifest.version}"`] : []),
    ...(notes.length > MOST_OF_A_RELEASE
      ? [
          `the notes have ${notes.length} characters, a release on GitHub takes ${MOST_OF_A_RELEASE}`,
        ]
      : []),
  ];
  return { notes, problems };
}

/** The lines between the heading of a version, with or without a date, and the next one. */
function sectionOf(changelog, version) {
  const lines = changelog.split('\n');
  const isVersion = (line) => line.split(' ')[1] === version;
  const start = lines.findIndex((line) => line.startsWith('## ') && isVersion(line));
  if (start === -1) return '';
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  return (end === -1 ? rest : rest.slice(0, end)).join('\n').trim();
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const { notes, problems } = releaseNotes(process.argv[2], manifest, changelog);
for (const problem of problems) process.stderr.write(`not ready for a release: ${problem}\n`);
if (problems.length === 0) process.stdout.write(`${notes}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
