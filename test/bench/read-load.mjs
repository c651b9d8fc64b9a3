// Reads the devices of a fleet as a plan does (fetch, parse, check, keep) and does nothing else. `node read-load.mjs URL`
import { capture } from '../../dist/live/capture.js';
import { systemClock as clock } from '../../dist/shell/clock.js';
import { openService } from './service.mjs';

const [, , url] = process.argv;
const { service, close } = openService(url);
const want = { sites: false, sources: false, discovered: false };
const { devices } = await capture({ service, clock, random: Math.random, want });
await close();
if (devices.length === 0) process.exitCode = 1;
