/** Maximum matching people; beyond that, narrow the search. */
export const mostPeople = 50;
