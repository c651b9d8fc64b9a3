// The floor of `show`: a saved plan is read and checked, and nothing is shown. `node plan-load.mjs FILE`
import { readPlanFile } from '../../dist/operations/plan-file.js';

const [, , file] = process.argv;
const plan = await readPlanFile({ cwd: process.cwd() }, file);
if (plan.changes.length === 0) process.exitCode = 1;
