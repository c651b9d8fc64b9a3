// `npm run mutants`: see cli.ts. Our sources are TypeScript, on every version of Node that we support.
import { register } from 'node:module';

register('../support/typescript-hooks.mjs', import.meta.url);
const { main } = await import('./cli.ts');
process.exitCode = await main(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
