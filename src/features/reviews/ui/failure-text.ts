import { m } from '#/texts/messages.js';
import { chooseByFailure, type FailureNotice } from '#/web/failures.ts';

/** Nothing was saved; fields keep their text. */
const writingFailed = {
  unreachable: (): FailureNotice => ({
    title: m.web_unreachable_title(),
    text: `${m.web_check_connection()} ${m.web_entries_kept()}`,
  }),
  other: (): FailureNotice => ({ title: m.reviews_problem_other(), text: m.reviews_problem_other_text() }),
};

export function reviewFailure(error: unknown): FailureNotice {
  return chooseByFailure<FailureNotice>(error, {
    ...writingFailed,
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
  });
}

const decisionFailed = {
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
    changed_meanwhile: () => ({ title: m.replies_changed(), text: m.moderation_problem_changed_text() }),
    wrong_state: () => ({ title: m.replies_decided(), text: m.moderation_problem_decided_text() }),
    review: () => ({ title: m.replies_gone(), text: m.web_nothing_to_decide() }),
    reply: () => ({ title: m.replies_gone(), text: m.web_nothing_to_decide() }),
  });
}

export function moderationFailure(error: unknown): FailureNotice {
  return chooseByFailure<FailureNotice>(error, {
    ...decisionFailed,
    changed_meanwhile: () => ({
      title: m.moderation_problem_changed(),
      text: m.moderation_problem_changed_text(),
    }),
    wrong_state: () => ({
      title: m.moderation_problem_decided(),
      text: m.moderation_problem_decided_text(),
    }),
    review: () => ({ title: m.moderation_problem_gone(), text: m.web_nothing_to_decide() }),
  });
}
