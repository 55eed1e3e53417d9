import { devotionalsContract } from './devotionals/contract.ts';
import { goalsContract } from './goals/contract.ts';
import { journalContract } from './journal/contract.ts';
import { prayersContract } from './prayers/contract.ts';
import { progressContract } from './progress/contract.ts';
import { sharingContract } from './sharing/contract.ts';

export const growthContract = {
  devotionals: devotionalsContract,
  goals: goalsContract,
  journal: journalContract,
  prayers: prayersContract,
  progress: progressContract,
  sharing: sharingContract,
};
