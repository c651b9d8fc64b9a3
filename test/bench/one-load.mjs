// Single reads through the client, without a pace. `node one-load.mjs URL COUNT`
import { openService } from './service.mjs';
import { beginUsage } from './usage.mjs';

const [, , url, count] = process.argv;
const { service, close } = openService(url);

await service.device('dev-0');
beginUsage();
for (let at = 1; at <= Number(count); at += 1) {
  const { value } = await service.device(`dev-${at}`);
  if (value?.id !== `dev-${at}`) process.exitCode = 1;
}
await close();
