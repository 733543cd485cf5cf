// Starts the user's Jest. Where an attempt has a process of its own, this one is ready ahead of its turn.
'use strict';

const { createRequire } = require('node:module');
const { waitAtGate } = require('../../lib/wire.cjs');

const { cli, isolation } = JSON.parse(process.env.TRAF_JEST);

// What takes long to load and would be loaded anyway. Nothing of the user's: no config, no transform, no global setup.
const CHAIN = ['jest-cli', '@jest/core', 'jest-runner', 'jest-runtime', 'jest-circus'];
const BESIDE = ['jest-environment-jsdom', 'jest-environment-node', 'babel-jest', 'ts-jest', '@swc/jest'];

function load(require, name) {
  try {
    return require.resolve(name);
  } catch {
    return null; // this project does without
  }
}

if (isolation === 'process') {
  let from = cli;
  for (const name of CHAIN) {
    const file = load(createRequire(from), name);
    if (file === null) break;
    from = file;
    createRequire(cli)(file);
  }
  const project = createRequire(`${process.cwd()}/package.json`);
  for (const name of BESIDE) {
    const file = load(project, name);
    if (file !== null) project(file);
  }
}
waitAtGate();
process.argv[1] = cli;
require(cli);
