/** Each failure includes its location and, if reported, its reason; others that didn't run count as failed. */
export interface Counts {
  passed: number;
  failed: string[];
  /** Long tests outside the sample. */
  skipped: number;
}

export interface VitestReport {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: {
      fullName: string;
      status: string;
      tags?: string[];
      failureMessages: string[];
      /** In milliseconds. */
      duration?: number | null;
      /** In milliseconds. */
      meta?: { cpu?: number };
    }[];
  }[];
}

export interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
}

interface PlaywrightSuite {
  specs: { title: string; file: string; line: number; tags?: string[]; tests: PlaywrightTest[] }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightTest {
  status: string;
  results: { errors: { message: string }[]; duration: number }[];
}

export interface Ended {
  ok: boolean;
  /** Error output, the only place for errors outside any test. */
  output: string;
}

/** Counts Vitest results; a file that fails to load counts as one failure. */
export function countVitest(report: VitestReport | undefined, ended: Ended): Counts {
  const counts: Counts = { passed: 0, failed: [], skipped: 0 };
  for (const file of report?.testResults ?? []) {
    const ran = file.assertionResults.filter((one) => !isLeftOut(one));
    const failed = ran.filter(({ status }) => status !== 'passed');
    counts.passed += ran.length - failed.length;
    counts.skipped += file.assertionResults.length - ran.length;
    for (const { fullName, status, failureMessages } of failed) {
      counts.failed.push(failure(`${file.name} › ${fullName}`, status, failureMessages));
    }
    // Failed hooks and imports appear only in the file's status.
    if (file.status !== 'passed' && failed.length === 0) {
      counts.failed.push(failure(file.name, file.status, [file.message]));
    }
  }
  return withRunner(counts, 'Vitest', { ...ended, ok: ended.ok && report?.success === true });
}

/** Counts Playwright results; flaky tests count as failed. */
export function countPlaywright(report: PlaywrightReport | undefined, ended: Ended): Counts {
  const counts: Counts = { passed: 0, failed: [], skipped: 0 };
  for (const { title, file, line, tags, tests } of specsOf(report?.suites ?? [])) {
    for (const { status, results } of tests) {
      const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
      if (status === 'expected') counts.passed += 1;
      else if (isLeftOut({ status, tags })) counts.skipped += 1;
      else counts.failed.push(failure(`${file}:${line} › ${title}`, status, messages));
    }
  }
  for (const { message } of report?.errors ?? []) {
    counts.failed.push(failure('Playwright', 'error', message === undefined ? [] : [message]));
  }
  return withRunner(counts, 'Playwright', ended);
}

function isLeftOut({ status, tags }: { status: string; tags?: string[] | undefined }): boolean {
  return status === 'skipped' && tags?.includes('long') === true;
}

export interface Timed {
  name: string;
  seconds: number;
  /** Processor seconds of the test's own process, where it has one. */
  cpu?: number | undefined;
}

export function timeLine({ name, seconds, cpu }: Timed): string {
  const own = cpu === undefined ? '' : ` (${cpu.toFixed(1)} s CPU)`;
  return `${seconds.toFixed(1).padStart(7)} s  ${name}${own}`;
}

export function slowestFirst(report: VitestReport | undefined): Timed[] {
  return (report?.testResults ?? [])
    .flatMap((file) =>
      file.assertionResults.map(({ fullName, duration, meta }) => ({
        name: `${file.name.replace(`${process.cwd()}/`, '')} › ${fullName}`,
        seconds: (duration ?? 0) / 1000,
        cpu: meta?.cpu === undefined ? undefined : meta.cpu / 1000,
      })),
    )
    .toSorted((a, b) => b.seconds - a.seconds);
}

export function slowestJourneys(report: PlaywrightReport | undefined): Timed[] {
  return specsOf(report?.suites ?? [])
    .map(({ title, file, line, tests }) => ({
      name: `${file}:${line} › ${title}`,
      seconds: tests.flatMap(({ results }) => results).reduce((sum, one) => sum + one.duration, 0) / 1000,
    }))
    .toSorted((a, b) => b.seconds - a.seconds);
}

function specsOf(suites: readonly PlaywrightSuite[]): PlaywrightSuite['specs'] {
  return suites.flatMap((suite) => [...suite.specs, ...specsOf(suite.suites ?? [])]);
}

/** Counts a runner as failed if it exits with an error or runs no tests. */
function withRunner(counts: Counts, runner: string, { ok, output }: Ended): Counts {
  if (counts.failed.length > 0 || (ok && counts.passed > 0)) return counts;
  const complaints = output.trimEnd() === '' ? [] : output.trimEnd().split('\n').slice(-COMPLAINT_LINES);
  return { ...counts, failed: [failure(runner, 'no failed test, and no success', complaints)] };
}

const COMPLAINT_LINES = 80;

/** Fits expected and received values; the runner's output has full traces. */
const REASON_LINES = 12;

function failure(name: string, status: string, messages: readonly string[]): string {
  const reasons = messages.flatMap((message) => message.split('\n').slice(0, REASON_LINES));
  return [`${name} (${status})`, ...reasons].join('\n    ');
}
