/** The one name outside ECMAScript that this layer uses itself. Node and every browser have it. */
declare class URL {
  constructor(url: string);
  readonly hostname: string;
}
