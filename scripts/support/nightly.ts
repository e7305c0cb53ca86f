/**
 * The environment variable that makes a run of the tests a nightly one, which tries everything; its value is the seed that tests draw
 * by. The same value makes the same run again, of single files as well.
 */
export const NIGHTLY = 'COUNTERSIGN_NIGHTLY';
