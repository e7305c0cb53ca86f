/** What a check came to. */
export type Outcome = 'pass' | 'fail' | 'not_checked' | 'cannot_check' | 'not_applicable';
