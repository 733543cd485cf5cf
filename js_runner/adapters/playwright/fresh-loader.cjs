// A loader hook for ES modules, which cannot be unloaded: what a wrapper spec imports of the project's own files,
// directly or not, is imported under an address of its own and so runs again.
'use strict';

const WRAPPER = /\.traf-(\d{4,})\.[^/]*$|\?traf=(\d{4,})$/;

let prefix = null;

/** `root` is the file URL of the project, ending in a slash. */
function initialize({ root }) {
  prefix = root;
}

/** The address under which a module at `url` is imported by the module at `parent`. */
function fresh(url, parent) {
  const match = WRAPPER.exec(parent ?? '');
  const own = url.startsWith(prefix) && !url.slice(prefix.length).split('/').includes('node_modules');
  return match && own && !url.includes('?') ? `${url}?traf=${match[1] ?? match[2]}` : url;
}

async function resolve(specifier, context, next) {
  const result = await next(specifier, context);
  return { ...result, url: fresh(result.url, context.parentURL) };
}

module.exports = { fresh, initialize, resolve };
