import { m } from '#/texts/messages.js';
import { chooseByFailure, type FailureNotice } from '#/web/failures.ts';

/** Nothing was saved, and the text is still in its field. */
export const writingFailed = {
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
