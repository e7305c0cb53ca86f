/** What a challenge was given out for; it is good for nothing else. */
export type ChallengePurpose =
  | { readonly kind: 'add'; readonly userId: string }
  | { readonly kind: 'fresh'; readonly userId: string }
  | { readonly kind: 'alone' }
  | { readonly kind: 'step'; readonly userId: string };
