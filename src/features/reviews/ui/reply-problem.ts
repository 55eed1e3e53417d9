import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';

interface ProblemText {
  title: string;
  text: string;
}

type Texts = Readonly<Record<string, () => ProblemText>>;

const written: Texts = {
  review: () => ({ title: m.replies_problem_review(), text: m.replies_problem_review_text() }),
  reply: () => ({ title: m.replies_problem_gone(), text: m.replies_problem_gone_text() }),
};

const decided: Texts = {
  changed_meanwhile: () => ({ title: m.replies_changed(), text: m.replies_changed_text() }),
  wrong_state: () => ({ title: m.replies_decided(), text: m.replies_decided_text() }),
  review: () => ({ title: m.replies_gone(), text: m.replies_gone_text() }),
  reply: () => ({ title: m.replies_gone(), text: m.replies_gone_text() }),
};

export function replyProblem(error: unknown): ProblemText {
  return (
    known(error, written) ??
    (error instanceof AppError
      ? { title: m.reviews_problem_other(), text: m.reviews_problem_other_text() }
      : { title: m.reviews_problem_unreachable(), text: m.reviews_problem_unreachable_text() })
  );
}

export function replyDecisionProblem(error: unknown): ProblemText {
  return (
    known(error, decided) ?? {
      title: error instanceof AppError ? m.reviews_problem_other() : m.reviews_problem_unreachable(),
      text: m.reviews_load_failed_text(),
    }
  );
}

function known(error: unknown, texts: Texts): ProblemText | undefined {
  if (!(error instanceof AppError) || !Object.hasOwn(texts, error.reason)) return undefined;
  return texts[error.reason]!();
}
