/** How many tests passed, and what failed, each in words: where it stands, and why as far as the runner says; what didn't run has failed. */
export interface Counts {
  passed: number;
  failed: string[];
}

/** What is read of Vitest's JSON report. */
export interface VitestReport {
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: {
      fullName: string;
      status: string;
      failureMessages: string[];
      /** Milliseconds. */
      duration?: number | null;
    }[];
  }[];
}

/** What is read of Playwright's JSON report. */
export interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
}

interface PlaywrightSuite {
  specs: { title: string; file: string; line: number; tests: PlaywrightTest[] }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightTest {
  status: string;
  results: { errors: { message: string }[]; duration: number }[];
}

/** How a runner ended, beside its report. */
export interface Ended {
  ok: boolean;
  /** What it complained about: errors that belong to no test stand nowhere else. */
  output: string;
}

/** Counts Vitest's tests; a file that could not be read to its end is one failure more. */
export function countVitest(report: VitestReport | undefined, ended: Ended): Counts {
  const counts: Counts = { passed: 0, failed: [] };
  for (const file of report?.testResults ?? []) {
    const failed = file.assertionResults.filter(({ status }) => status !== 'passed');
    counts.passed += file.assertionResults.length - failed.length;
    for (const { fullName, status, failureMessages } of failed) {
      counts.failed.push(failure(`${file.name} › ${fullName}`, status, failureMessages));
    }
    // A hook or an import that failed shows in the file's state only.
    if (file.status !== 'passed' && failed.length === 0) {
      counts.failed.push(failure(file.name, file.status, [file.message]));
    }
  }
  return withRunner(counts, 'Vitest', { ...ended, ok: ended.ok && report?.success === true });
}

/** Counts Playwright's tests; one that passed at the second try only has failed. */
export function countPlaywright(report: PlaywrightReport | undefined, ended: Ended): Counts {
  const counts: Counts = { passed: 0, failed: [] };
  for (const { title, file, line, tests } of specsOf(report?.suites ?? [])) {
    for (const { status, results } of tests) {
      const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
      if (status === 'expected') counts.passed += 1;
      else counts.failed.push(failure(`${file}:${line} › ${title}`, status, messages));
    }
  }
  for (const { message } of report?.errors ?? []) {
    counts.failed.push(failure('Playwright', 'error', message === undefined ? [] : [message]));
  }
  return withRunner(counts, 'Playwright', ended);
}

/** A test and how long it took. */
export interface Timed {
  name: string;
  seconds: number;
}

/** Vitest's tests by the time they took, without their hooks. */
export function slowestFirst(report: VitestReport | undefined): Timed[] {
  return (report?.testResults ?? [])
    .flatMap((file) =>
      file.assertionResults.map(({ fullName, duration }) => ({
        name: `${file.name.replace(`${process.cwd()}/`, '')} › ${fullName}`,
        seconds: (duration ?? 0) / 1000,
      })),
    )
    .toSorted((a, b) => b.seconds - a.seconds);
}

/** Playwright's tests by the time they took. */
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

/** A runner that failed without a failed test, or found none at all, is itself a failure. */
function withRunner(counts: Counts, runner: string, { ok, output }: Ended): Counts {
  if (counts.failed.length > 0 || (ok && counts.passed > 0)) return counts;
  const complaints = output.trimEnd() === '' ? [] : output.trimEnd().split('\n').slice(-COMPLAINT_LINES);
  return { ...counts, failed: [failure(runner, 'no failed test, and no success', complaints)] };
}

/** Enough for some errors with their traces. */
const COMPLAINT_LINES = 80;

/** What expected and received values need; a whole trace is in the runner's own output. */
const REASON_LINES = 12;

function failure(name: string, status: string, messages: readonly string[]): string {
  const reasons = messages.flatMap((message) => message.split('\n').slice(0, REASON_LINES));
  return [`${name} (${status})`, ...reasons].join('\n    ');
}
