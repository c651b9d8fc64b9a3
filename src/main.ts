#!/usr/bin/env node
import { run } from './cli/run.ts';
import { processShell } from './cli/process.ts';

const shell = processShell(process);
process.exitCode = await run(process.argv.slice(2), shell);
shell.dispose();
