import { relative } from 'node:path';

/**
 * A reporter of vitest that tells its parent process, file by file, what began and what came of it: should a worker
 * or the whole run not end, what it had come to by then is known, and which files were not done.
 */
export default class Told {
  onTestRunStart(specifications) {
    tell({ all: specifications.map(nameOf) });
  }

  onTestModuleQueued(module) {
    tell({ began: nameOf(module) });
  }

  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()];
    const inState = (state) => tests.filter((test) => test.result().state === state);
    const failures = inState('failed').map((test) => `${nameOf(module)} > ${test.fullName}`);
    // A file that cannot be loaded, or whose hooks fail, may not have a single test that does.
    if (failures.length === 0 && !module.ok()) failures.push(nameOf(module));
    const { cpu } = module.meta();
    tell({ ended: nameOf(module), passed: inState('passed').length, failures, cpu });
  }

  onTestRunEnd(_modules, errors) {
    for (const { message } of errors) tell({ error: String(message).split('\n')[0] });
  }
}

function nameOf({ moduleId }) {
  return relative('.', moduleId);
}

function tell(message) {
  process.send?.(message);
}
