import { m } from '#/texts/messages.js';
import { chooseByFailure, type FailureNotice } from '#/web/failures.ts';
import { writingFailed } from './failure-text.ts';

export const decisionFailed = {
  unreachable: (): FailureNotice => ({ title: m.web_unreachable_title(), text: m.web_check_connection() }),
  other: (): FailureNotice => ({ title: m.reviews_problem_other(), text: m.web_failed() }),
};

export function replyFailure(error: unknown): FailureNotice {
  return chooseByFailure<FailureNotice>(error, {
    ...writingFailed,
    review: () => ({ title: m.replies_problem_review(), text: m.replies_problem_review_text() }),
    reply: () => ({ title: m.replies_problem_gone(), text: m.replies_problem_gone_text() }),
  });
}

export function replyDecisionFailure(error: unknown): FailureNotice {
  return chooseByFailure<FailureNotice>(error, {
    ...decisionFailed,
    changed_meanwhile: () => ({ title: m.replies_changed(), text: m.replies_changed_text() }),
    wrong_state: () => ({ title: m.replies_decided(), text: m.replies_decided_text() }),
    review: () => ({ title: m.replies_gone(), text: m.replies_gone_text() }),
    reply: () => ({ title: m.replies_gone(), text: m.replies_gone_text() }),
  });
}
