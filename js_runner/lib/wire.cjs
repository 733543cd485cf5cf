// The line format on descriptor 3, shared by the host and by the code that it loads into a framework (hence CommonJS).
'use strict';

const fs = require('node:fs');

const PIPE = 3;
const GATE = 4;
const GATE_POLL_MS = 5;

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Writes all of `text` to a descriptor, waiting where a non-blocking pipe is full. */
function writeAll(fd, text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(fd, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      pause(2);
    }
  }
}

/**
 * An emitter for a child of the host. A test may write to the same descriptor: the secret `token` tells our lines from
 * its own, and the line break in front keeps ours whole after a line that a test did not end.
 */
function emitter(token) {
  return (event) => writeAll(PIPE, `\n${token} ${JSON.stringify(event)}\n`);
}

/** The event on one line of a child's pipe, or null for anything that did not come from our emitter. */
function decode(line, token) {
  if (!line.startsWith(`${token} `)) return null;
  try {
    return JSON.parse(line.slice(token.length + 1));
  } catch {
    return null;
  }
}

/**
 * Blocks until the host opens the gate of this child; ends it where the host is gone. A process that was started ahead of its turn waits here,
 * with its framework loaded and nothing of the user's.
 */
function waitAtGate() {
  for (;;) {
    try {
      if (fs.readSync(GATE, Buffer.alloc(1)) === 0) process.exit(0);
      return;
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      pause(GATE_POLL_MS);
    }
  }
}

module.exports = { GATE, PIPE, decode, emitter, waitAtGate, writeAll };
