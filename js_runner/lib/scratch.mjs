// Files that a batch needs inside the sandbox: written at its start, removed at its end.
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from './refusal.mjs';

export class Scratch {
  #root;
  #written = [];

  constructor(root) {
    this.#root = fs.realpathSync(root);
  }

  /** Writes `text` to the absolute path `file`, which must not lead out of the sandbox, through a link either. */
  write(file, text) {
    const folder = fs.realpathSync(path.dirname(file));
    if (folder !== this.#root && !folder.startsWith(this.#root + path.sep)) {
      throw new Refusal('bad_request', `${path.dirname(file)} leads out of the sandbox`);
    }
    fs.rmSync(file, { force: true });
    fs.writeFileSync(file, text, { flag: 'wx' });
    this.#written.push(file);
  }

  remove() {
    for (const file of this.#written.splice(0)) fs.rmSync(file, { force: true });
  }
}
