import { spawn } from 'node:child_process';

/** How a tool ended. */
export interface ToolResult {
  ok: boolean;
  /** All that it said, both streams in their order; of one that was shown at once, what it complained about. */
  output: string;
  seconds: number;
  timedOut: boolean;
}

const groups = new Set<number>();

// A tool has processes of its own: whoever stops the runner stops them all.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    for (const group of groups) killGroup(group);
    process.exit(code);
  });
}

/** Runs a program without input, at most for `minutes`, and everything that it started ends with it. */
export async function runTool(
  command: readonly string[],
  options: { minutes: number; env?: NodeJS.ProcessEnv; show?: boolean },
): Promise<ToolResult> {
  const [file = '', ...args] = command;
  const started = performance.now();
  const child = spawn(file, args, {
    detached: true,
    env: options.env ?? process.env,
    stdio: ['ignore', options.show ? 'inherit' : 'pipe', 'pipe'],
  });
  let output = '';
  let timedOut = false;
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk;
    if (options.show) process.stderr.write(chunk);
  });
  if (child.pid) groups.add(child.pid);
  const timer = setTimeout(() => {
    timedOut = true;
    if (child.pid) killGroup(child.pid);
  }, options.minutes * 60_000);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(null);
    });
    // Not 'close': a process left behind could keep the streams open for ever.
    child.on('exit', (exitCode) => setTimeout(() => resolve(exitCode), 50));
  });
  clearTimeout(timer);
  if (child.pid) {
    killGroup(child.pid);
    groups.delete(child.pid);
  }
  if (timedOut) output += `\nIt was stopped after ${options.minutes} minutes.`;
  return { ok: code === 0 && !timedOut, output, seconds: (performance.now() - started) / 1000, timedOut };
}

/** The command line that runs a script of an installed package on the project's Node. */
export function nodeTool(script: string, ...args: string[]): string[] {
  return [process.execPath, script, ...args];
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
}
