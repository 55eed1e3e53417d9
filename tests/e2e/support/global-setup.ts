import { prepareData } from '../../../scripts/product.ts';

/** Runs before the first journey: their products begin with a copy of what it makes. */
export default prepareData;
