// One thread of `onThreads`: does the tasks that it is sent, one after the other.
import { register } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

register('./typescript-hooks.mjs', import.meta.url);
const { work } = await import(workerData.module);

parentPort.on('message', async (task) => {
  parentPort.postMessage(
    await work(task).then(
      (result) => ({ result }),
      (error) => ({ error: error.stack ?? String(error) }),
    ),
  );
});
parentPort.postMessage({ ready: true });
