import { m } from '#/texts/messages.js';
import { chooseByFailure, type FailureNotice } from '#/web/failures.ts';
import { decisionFailed } from './reply-failure-text.ts';

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
    review: () => ({ title: m.moderation_problem_gone(), text: m.moderation_problem_gone_text() }),
  });
}
