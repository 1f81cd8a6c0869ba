/** Where a token proves control of a site. */
export interface Challenge {
  readonly for: string;
  readonly token: string;
  readonly file: { readonly url: string; readonly content: string };
  readonly dns: { readonly name: string };
}

/**
 * What the operations of owners and visitors answer, as far as tests read it. Which fields are there depends on the operation and its
 * outcome, so a test that reads one of another outcome finds undefined.
 */
export interface AnswerBody {
  readonly id: string;
  readonly token: string;
  readonly status: string;
  readonly code: string;
  readonly kind: string;
  readonly url: string;
  readonly label: string;
  readonly expect: unknown;
  readonly secret: string;
  readonly pushKey: string;
  readonly services: readonly string[];
  /** Unix seconds. */
  readonly until: number;
  /** Unix seconds. */
  readonly restorableUntil: number;
  readonly channels: readonly { readonly id: string }[];
  readonly challenge: Challenge;
  readonly challenges: readonly [Challenge];
  readonly errors: readonly [{ readonly pointer: string }];
  readonly look: { readonly places: readonly object[] };
  readonly lastCheck: object;
  readonly proof: { readonly lostAt?: number };
  readonly refusal: { readonly kind: string };
}

/** The parsed body. Throws SyntaxError if it is not JSON. */
export function parseAnswer(text: string): AnswerBody {
  return JSON.parse(text) as AnswerBody;
}
