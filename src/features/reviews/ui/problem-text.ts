import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';

interface ProblemText {
  title: string;
  text: string;
}

const texts: Readonly<Record<string, () => ProblemText>> = {
  already_approved: () => ({
    title: m.reviews_problem_approved(),
    text: m.reviews_problem_approved_text(),
  }),
  review: () => ({ title: m.reviews_problem_gone(), text: m.reviews_problem_gone_text() }),
  appointment: () => ({ title: m.reviews_problem_gone(), text: m.reviews_problem_gone_text() }),
  not_completed: () => ({
    title: m.reviews_problem_not_completed(),
    text: m.reviews_problem_not_completed_text(),
  }),
};

export function reviewProblem(error: unknown): ProblemText {
  if (!(error instanceof AppError)) {
    return { title: m.reviews_problem_unreachable(), text: m.reviews_problem_unreachable_text() };
  }
  const known = Object.hasOwn(texts, error.reason) ? texts[error.reason] : undefined;
  return known?.() ?? { title: m.reviews_problem_other(), text: m.reviews_problem_other_text() };
}
