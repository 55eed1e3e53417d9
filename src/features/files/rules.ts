/** Documents per person, to limit disk use. */
export const documentsKept = 200;
