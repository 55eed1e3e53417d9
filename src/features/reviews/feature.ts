import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
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

const replies = handle(reviewsContract.replies, {
  write: writeReply,
  withdraw: async (ctx, input) => {
    await withdrawReply(ctx, input.reviewId);
    return input;
  },
  waitingCount: repliesWaiting,
  moderation: repliesToModerate,
  approve: approveReply,
  reject: rejectReply,
});

export const reviews = defineFeature({
  handlers: () => ({
    reviews: handle(reviewsContract, {
      featured: featuredTestimonials,
      ofService: (ctx, input) => testimonialsOfService(ctx, input.serviceId),
      ofProvider: testimonialsOfProvider,
      mine: (ctx, input) => myReviews(ctx, selfOf(ctx), input),
      write: writeReview,
      withdraw: async (ctx, input) => {
        await withdrawReview(ctx, input.appointmentId);
        return input;
      },
      received: (ctx, input) => receivedReviews(ctx, selfOf(ctx), input),
      ratings: (ctx) => receivedRatings(ctx, selfOf(ctx)),
      waitingCount,
      moderation: reviewsToModerate,
      approve: approveReview,
      reject: rejectReview,
      reopen: reopenReview,
      feature: featureReview,
      replies,
    }),
  }),
  personal: [reviewsPersonal],
});
