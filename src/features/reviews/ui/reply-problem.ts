import { m } from '#/texts/messages.js';
import { chooseByFailure, type ProblemText } from '#/web/failures.ts';
import { writingFailed } from './problem-text.ts';

export const decisionFailed = {
  unreachable: (): ProblemText => ({ title: m.web_unreachable_title(), text: m.web_check_connection() }),
  other: (): ProblemText => ({ title: m.reviews_problem_other(), text: m.web_failed() }),
};

export function replyProblem(error: unknown): ProblemText {
  return chooseByFailure<ProblemText>(error, {
    ...writingFailed,
    review: () => ({ title: m.replies_problem_review(), text: m.replies_problem_review_text() }),
    reply: () => ({ title: m.replies_problem_gone(), text: m.replies_problem_gone_text() }),
  });
}

export function replyDecisionProblem(error: unknown): ProblemText {
  return chooseByFailure<ProblemText>(error, {
    ...decisionFailed,
    changed_meanwhile: () => ({ title: m.replies_changed(), text: m.replies_changed_text() }),
    wrong_state: () => ({ title: m.replies_decided(), text: m.replies_decided_text() }),
    review: () => ({ title: m.replies_gone(), text: m.replies_gone_text() }),
    reply: () => ({ title: m.replies_gone(), text: m.replies_gone_text() }),
  });
}
