// Ending a process with everything it started, also what moved to a process group of its own (browsers do).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** [pid, parent pid] of every process that can be seen. */
function processTable() {
  if (!fs.existsSync('/proc/self/stat')) {
    const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return text.trim().split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  }
  const table = [];
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The name in brackets may hold blanks and brackets itself: the parent is the second field after the last ")".
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'latin1');
      table.push([Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]);
    } catch {
      // It ended while we looked.
    }
  }
  return table;
}

/** The ids of all descendants of `pid`, nearest first. */
export function descendants(pid, table = processTable()) {
  const found = [];
  let level = [pid];
  while (level.length > 0) {
    level = table.filter(([, parent]) => level.includes(parent)).map(([child]) => child);
    found.push(...level);
  }
  return found;
}

/** Sends SIGKILL to the process group `pid` and to each of `pids`. */
export function killAll(pid, pids) {
  for (const target of [-pid, pid, ...pids]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
    }
  }
}
