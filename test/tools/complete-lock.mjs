// Adds to package-lock.json the optional platform packages that a partial registry view left out,
// so that `npm ci` accepts the lock on every platform. Run it after each `npm install`.
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const OS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
];
const CPU = [
  'arm64',
  'arm',
  'ia32',
  'x64',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
];

/** The platform that a package is for, read off its name: `@oxlint/binding-win32-x64-msvc`. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = OS.find((word) => words.includes(word));
  const cpu = CPU.find((word) => words.includes(word));
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }) };
}

let added = 0;
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] || entry.link) continue;
    lock.packages[path] = { version, dev: true, optional: true, ...platformOf(name) };
    added += 1;
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
);
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} platform packages added\n`);
