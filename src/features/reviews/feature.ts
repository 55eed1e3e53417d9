import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import {
  approveReview,
  featureReview,
  rejectReview,
  reopenReview,
  withdrawReview,
  writeReview,
} from './commands.ts';
import { reviewsContract } from './contract.ts';
import { reviewsPersonal } from './personal.ts';
import {
  featuredTestimonials,
  myReviews,
  receivedRatings,
  receivedReviews,
  reviewsToModerate,
  testimonialsOfProvider,
  testimonialsOfService,
  waitingCount,
} from './queries.ts';
import { approveReply, rejectReply, withdrawReply, writeReply } from './reply/commands.ts';
import { repliesToModerate, repliesWaiting } from './reply/queries.ts';

const os = bind(reviewsContract);

const replies = os.replies.router({
  write: os.replies.write.handler(({ context, input }) => writeReply(context, input)),
  withdraw: os.replies.withdraw.handler(async ({ context, input }) => {
    await withdrawReply(context, input.reviewId);
    return input;
  }),
  waitingCount: os.replies.waitingCount.handler(({ context }) => repliesWaiting(context)),
  moderation: os.replies.moderation.handler(({ context, input }) => repliesToModerate(context, input)),
  approve: os.replies.approve.handler(({ context, input }) => approveReply(context, input)),
  reject: os.replies.reject.handler(({ context, input }) => rejectReply(context, input)),
});

export const reviews = defineFeature({
  handlers: () => ({
    reviews: os.router({
      featured: os.featured.handler(({ context }) => featuredTestimonials(context)),
      ofService: os.ofService.handler(({ context, input }) =>
        testimonialsOfService(context, input.serviceId),
      ),
      ofProvider: os.ofProvider.handler(({ context, input }) => testimonialsOfProvider(context, input)),
      mine: os.mine.handler(({ context, input }) => myReviews(context, selfOf(context), input)),
      write: os.write.handler(({ context, input }) => writeReview(context, input)),
      withdraw: os.withdraw.handler(async ({ context, input }) => {
        await withdrawReview(context, input.appointmentId);
        return input;
      }),
      received: os.received.handler(({ context, input }) => receivedReviews(context, selfOf(context), input)),
      ratings: os.ratings.handler(({ context }) => receivedRatings(context, selfOf(context))),
      waitingCount: os.waitingCount.handler(({ context }) => waitingCount(context)),
      moderation: os.moderation.handler(({ context, input }) => reviewsToModerate(context, input)),
      approve: os.approve.handler(({ context, input }) => approveReview(context, input)),
      reject: os.reject.handler(({ context, input }) => rejectReview(context, input)),
      reopen: os.reopen.handler(({ context, input }) => reopenReview(context, input)),
      feature: os.feature.handler(({ context, input }) => featureReview(context, input)),
      replies,
    }),
  }),
  personal: [reviewsPersonal],
});
