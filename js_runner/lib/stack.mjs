// Stack traces as V8 prints them, turned into frames with project-relative files.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_FRAMES = 50;
const FRAME = /^\s*at (?:async )?(?:(.+?) \()?((?:file:\/\/|node:|[A-Za-z]:\\|\/).*?):(\d+):(\d+)\)?$/;

/** `file` as an absolute path without a loader's query. */
export function plainPath(file) {
  const bare = file.replace(/\?[^/]*$/, '');
  if (!bare.startsWith('file://')) return bare;
  try {
    return fileURLToPath(bare);
  } catch {
    return bare;
  }
}

/** `file` relative to the first of `roots` that holds it (POSIX), or unchanged. */
export function relativeTo(roots, file) {
  for (const root of roots) {
    const inside = path.relative(root, file);
    if (inside && !/^\.\.(?:[\\/]|$)/.test(inside) && !path.isAbsolute(inside)) return inside.split(path.sep).join('/');
  }
  return file;
}

/**
 * The frames of a V8 stack, innermost first, without those of Node itself.
 *
 * `roots` are the spellings of the project root (as given, and with links resolved). `source` maps a path or file URL
 * as it stands in the stack to the user's file that it means, or to null where the frame says nothing about one.
 */
export function parseStack(stack, roots, source = (file) => file) {
  const frames = [];
  for (const line of stack.split('\n')) {
    const match = FRAME.exec(line);
    const file = match && !match[2].startsWith('node:') ? source(match[2]) : null;
    if (file === null) continue;
    frames.push({
      file: relativeTo(roots, plainPath(file)),
      line: Number(match[3]),
      column: Number(match[4]),
      function: match[1] ?? null,
    });
    if (frames.length === MAX_FRAMES) break;
  }
  return frames;
}
