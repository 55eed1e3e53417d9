/** Why the program cannot start, as one sentence that says what to do; printed as it is, without a stack. */
export class StartError extends Error {
  constructor(sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.name = 'StartError';
  }
}
