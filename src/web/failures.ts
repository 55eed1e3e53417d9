import { AppError, type ErrorCode, type FieldProblem } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';

/** No response arrived. */
export class Unreachable extends Error {}

/** Texts by field. */
export type FieldTexts = Partial<Record<string, string>>;

export interface FailureNotice {
  title: string;
  text: string;
}

/** Choices by reason, then by code. */
export type FailureChoices<T> = Readonly<Partial<Record<string, (refusal: AppError) => T>>> & {
  /** No response arrived. */
  readonly unreachable: () => T;
  readonly other: () => T;
};

export type FailureTexts = Readonly<Partial<Record<string, (refusal: AppError) => string>>> & {
  readonly unreachable?: () => string;
  readonly other?: () => string;
};

const texts: FailureChoices<string> = {
  unreachable: m.web_unreachable,
  unauthenticated: m.web_signed_out,
  rate_limited: m.web_too_fast,
  busy: m.web_busy,
  reauthentication_required: m.reauthentication_needed,
  full_reauthentication_required: m.reauthentication_needed,
  other: m.web_failed,
};

/** General texts for forms that keep their entries. */
export const entriesKept = {
  unreachable: () => `${m.web_unreachable()} ${m.web_entries_kept()}`,
  unauthenticated: () => `${m.web_signed_out()} ${m.web_entries_kept()}`,
  rate_limited: () => `${m.web_too_fast()} ${m.web_entries_kept()}`,
  busy: () => `${m.web_busy()} ${m.web_entries_kept()}`,
  other: () => `${m.web_failed()} ${m.web_entries_kept()}`,
} satisfies FailureTexts;

/** Says what happened and what to do; `overrides` are a feature's own texts by reason or code. */
export function failureText(error: unknown, overrides: FailureTexts = {}): string {
  return chooseByFailure(error, { ...texts, ...overrides });
}

/** A reason wins over a code. */
export function chooseByFailure<T>(error: unknown, choices: FailureChoices<T>): T {
  if (error instanceof AppError) {
    for (const key of [error.reason, error.code])
      if (Object.hasOwn(choices, key)) return choices[key]!(error);
    return choices.other();
  }
  // Offline, fetch and import() throw a TypeError.
  return error instanceof Unreachable || error instanceof TypeError ? choices.unreachable() : choices.other();
}

/** True if the server refused the request and changed nothing. During an outage, that is unknown. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code !== 'unavailable';
}

export function failureCode(error: unknown): ErrorCode | null {
  return error instanceof AppError ? error.code : null;
}

export function failureReason(error: unknown): string | null {
  return error instanceof AppError ? error.reason : null;
}

export function fieldProblems(error: unknown): readonly FieldProblem[] {
  return isRefusal(error) ? error.fields : [];
}

/** Texts for a form's fields, without those that `sentence` can't describe. */
export function fieldTexts(
  error: unknown,
  sentence: (field: string, reason: string) => string | undefined,
): FieldTexts {
  return Object.fromEntries(
    fieldProblems(error).flatMap(({ field, reason }) => {
      const text = sentence(field, reason);
      return text === undefined ? [] : [[field, text]];
    }),
  );
}

/** React Query's `retry`: once, unless refused. */
export function retryUnanswered(failures: number, error: unknown): boolean {
  return !isRefusal(error) && failures < 1;
}

/** Milliseconds. Tests don't wait. */
export const secondTry = { after: 1_000 };
