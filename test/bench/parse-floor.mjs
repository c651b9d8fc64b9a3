// The floor of `validate`: the bare `yaml` parse of every document of a folder. `node parse-floor.mjs FOLDER`
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

const [, , folder] = process.argv;
for (const name of readdirSync(folder)) parseDocument(readFileSync(join(folder, name), 'utf8'));
