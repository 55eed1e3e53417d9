import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';

interface ProblemText {
  title: string;
  text: string;
}

const texts: Readonly<Record<string, () => ProblemText>> = {
  changed_meanwhile: () => ({
    title: m.moderation_problem_changed(),
    text: m.moderation_problem_changed_text(),
  }),
  wrong_state: () => ({
    title: m.moderation_problem_decided(),
    text: m.moderation_problem_decided_text(),
  }),
  review: () => ({ title: m.moderation_problem_gone(), text: m.moderation_problem_gone_text() }),
};

export function moderationProblem(error: unknown): ProblemText {
  if (!(error instanceof AppError)) {
    return { title: m.reviews_problem_unreachable(), text: m.reviews_load_failed_text() };
  }
  const known = Object.hasOwn(texts, error.reason) ? texts[error.reason] : undefined;
  return known?.() ?? { title: m.reviews_problem_other(), text: m.reviews_load_failed_text() };
}
