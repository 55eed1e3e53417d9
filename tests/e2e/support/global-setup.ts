import { prepareData } from '../../../scripts/product.ts';

/** Runs before all journeys, whose products start from a copy of this data. */
export default prepareData;
