import { Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { withLongFlags } from '../../../../src/cli/program/single-dash.ts';

const OPTIONS = [
  new Option('-o, --out <FILE>'),
  new Option('--only <NAME>'),
  new Option('--detailed-exitcode'),
  new Option('-q, --quiet'),
];

describe('one dash before a long flag', () => {
  it.each([
    ['plan -out=F', 'plan --out=F'],
    ['plan -out F', 'plan --out F'],
    ['plan -only=a=b', 'plan --only=a=b'],
    ['plan -detailed-exitcode', 'plan --detailed-exitcode'],
    ['plan -o=F', 'plan --out=F'],
    ['plan -outt=F', 'plan --outt'],
    ['plan -var-file=F', 'plan --var-file'],
  ])('%s is %s', (typed, meant) => {
    expect(withLongFlags(typed.split(' '), OPTIONS)).toEqual(meant.split(' '));
  });

  it.each([
    'plan -o F',
    'plan -oplan.json',
    'plan -ojson',
    'plan -qo F',
    'plan -',
    'plan -5',
    'plan --out -out=F',
    'plan --only -out',
    'plan -- -out=F',
  ])('%s stays', (typed) => {
    expect(withLongFlags(typed.split(' '), OPTIONS)).toEqual(typed.split(' '));
  });
});
