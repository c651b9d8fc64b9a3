#!/usr/bin/env node
import { EXIT } from './cli/exit.ts';
import { processShell } from './cli/process.ts';
import { run } from './cli/run.ts';

const shell = processShell(process);
const code = await run(process.argv.slice(2), shell);
process.exitCode = shell.crash ? EXIT.error : code;
shell.dispose();
