// Finding a test framework in the user's project: it is never bundled, never downloaded.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Refusal } from './refusal.mjs';

/** Whether version `found` is at least `wanted` ("1.40"), by major and minor number. */
export function atLeast(found, wanted) {
  const [major, minor] = found.split('.').map(Number);
  const [wantedMajor, wantedMinor = 0] = wanted.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/**
 * The command line program and version of a framework, as `{cli, version}`.
 *
 * `packages` are the npm packages that carry it, tried in order and resolved from `dir` as Node would.
 */
export function locate(packages, minimum, dir) {
  const require = createRequire(path.join(dir, 'package.json'));
  for (const name of packages) {
    let manifestFile;
    try {
      manifestFile = require.resolve(`${name}/package.json`);
    } catch {
      continue;
    }
    const manifest = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
    if (!atLeast(manifest.version, minimum)) {
      throw new Refusal('framework_version', `${name} ${manifest.version} is too old: ${minimum} or newer is needed`);
    }
    const bin = typeof manifest.bin === 'string' ? manifest.bin : Object.values(manifest.bin)[0];
    return { cli: path.join(path.dirname(manifestFile), bin), version: manifest.version };
  }
  const message = `${packages[0]} is not installed in ${dir}: install the project's dependencies, for example with npm ci`;
  throw new Refusal('framework_missing', message);
}
