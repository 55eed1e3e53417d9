import { spawn } from 'node:child_process';

export interface ToolResult {
  ok: boolean;
  /** Both streams, interleaved; for tools shown live, only stderr. */
  output: string;
  seconds: number;
  timedOut: boolean;
}

const groups = new Set<number>();

// Tools start their own children, so stopping the runner must stop entire process groups.
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

/** Runs a program without stdin for at most `minutes`, then kills its whole process group. */
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
    // Not 'close': an orphaned child could keep the streams open.
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

export function nodeTool(script: string, ...args: string[]): string[] {
  return [process.execPath, script, ...args];
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}
