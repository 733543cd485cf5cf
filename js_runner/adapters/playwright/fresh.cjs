// Loaded by each wrapper spec: makes the next `require` of the user's modules run them again.
'use strict';

const path = require('node:path');

/** Drops the project's own modules from the module cache; packages and what is being loaded stay. */
function forget(root) {
  const prefix = root.endsWith(path.sep) ? root : root + path.sep;
  for (const [file, module] of Object.entries(require.cache)) {
    const own = file.startsWith(prefix) && !file.slice(prefix.length).split(path.sep).includes('node_modules');
    if (own && module.loaded) delete require.cache[file];
  }
}

module.exports = { forget };
